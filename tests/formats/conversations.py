"""The forms in which chats are copied, exported and kept, each as what it writes around the words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ConversationForm:
    """What a form of conversation writes around a speech of the user's and around one of the model's."""

    user: str
    model: str
    head: str = ""
    quotes_user: str = ""
    """What is before each line of the user's."""

    def wrap(self, *speeches: str) -> str:
        """Return a conversation of these speeches, of which the user's is the first."""
        pieces = [self.head]
        for number, speech in enumerate(speeches):
            words = speech.strip("\r\n")
            if number % 2 == 0 and self.quotes_user:
                words = "\n".join(self.quotes_user.format(line) for line in words.split("\n"))
            pieces.append((self.model if number % 2 else self.user).replace("{}", words))
        return "".join(pieces)


CONVERSATIONS = {
    "headings": ConversationForm("## User\n\n{}\n\n", "## Assistant\n\n{}\n\n"),
    "small headings": ConversationForm("#### Human\n{}\n", "#### AI\n{}\n"),
    "headings with a rule": ConversationForm(
        "---\n\n### 👤 User\n\n{}\n\n", "---\n\n### 🤖 Assistant\n\n{}\n\n"
    ),
    "headings of an exporter": ConversationForm(
        "# Prompt:\n{}\n\n", "# Response:\n{}\n\n", "# Lamps\n\n**Link:** x\n\n"
    ),
    "headings with a time": ConversationForm(
        "## You (2026-03-01 10:22)\n\n{}\n\n", "## Claude (2026-03-01 10:23)\n\n{}\n\n"
    ),
    "headings in capitals": ConversationForm("### USER\n{}\n\n", "### ASSISTANT\n{}\n\n"),
    "headings of instructions": ConversationForm("### Instruction:\n{}\n\n", "### Response:\n{}\n\n"),
    "opencode": ConversationForm(
        "## User\n\n{}\n\n---\n\n",
        "## Assistant (Build · Claude Sonnet 4.5 · 7.6s)\n\n{}\n\n---\n\n",
        "# A lamp\n\n**Session ID:** ses_1\n**Created:** 4/8/2026, 12:12:31\n\n---\n\n",
    ),
    "bold names": ConversationForm("**You:**\n\n{}\n\n", "**ChatGPT:**\n\n{}\n\n"),
    "bold names before the words": ConversationForm("**User:** {}\n\n", "**GPT-4o:** {}\n\n"),
    "bold names, colon outside": ConversationForm("**Me**: {}\n\n", "**AI**: {}\n\n"),
    "Cursor": ConversationForm(
        "---\n\n**User**\n\n{}\n\n",
        "---\n\n**Cursor**\n\n{}\n\n",
        "# A lamp\n_Exported on 4/1/2026 from Cursor (2.4.31)_\n\n",
    ),
    "Cline": ConversationForm("**User:**\n\n{}\n\n---\n\n", "**Assistant:**\n\n{}\n\n---\n\n"),
    "SpecStory": ConversationForm(
        "_**User (2026-02-12 05:48Z)**_\n\n{}\n\n---\n\n",
        "_**Agent (model claude-opus-4-6)**_\n\n{}\n\n---\n\n",
    ),
    "names": ConversationForm("User:\n{}\n\n", "Assistant:\n{}\n\n"),
    "names before the words": ConversationForm("Human: {}\n\n", "Assistant: {}\n\n"),
    "small names": ConversationForm("user: {}\n\n", "assistant: {}\n\n"),
    "German names": ConversationForm("Du:\n{}\n\n", "ChatGPT:\n{}\n\n"),
    "Chinese names": ConversationForm("用户：{}\n\n", "助手：{}\n\n"),
    "names without a colon": ConversationForm("You\n{}\n", "ChatGPT\n{}\n"),
    "brackets": ConversationForm("[user]\n{}\n\n", "[assistant]\n{}\n\n"),
    "brackets before the words": ConversationForm("[USER]: {}\n", "[ASSISTANT]: {}\n"),
    "headings with numbers": ConversationForm("## 1. User\n\n{}\n\n", "## 2. Assistant\n\n{}\n\n"),
    "headings of turns": ConversationForm("### Turn 1 — User\n\n{}\n\n", "### Turn 1 — Assistant\n\n{}\n\n"),
    "headings of messages": ConversationForm(
        "## Message 1 (user)\n\n{}\n\n", "## Message 2 (assistant)\n\n{}\n\n"
    ),
    "headings of Gemini CLI": ConversationForm(
        "## USER 🧑‍💻\n\n{}\n\n---\n\n", "## MODEL ✨\n\n{}\n\n---\n\n"
    ),
    "headings with verbs": ConversationForm(
        "# you asked\n\n{}\n\n---\n\n", "# chatgpt response\n\n{}\n\n---\n\n"
    ),
    "bold names with a time": ConversationForm("**[10:10] User:** {}\n\n", "**[10:11] Assistant:** {}\n\n"),
    "names in italics": ConversationForm("*User:*\n{}\n\n", "*Assistant:*\n{}\n\n"),
    "names of models": ConversationForm("**Me:**\n\n{}\n\n", "**o3-mini-high:**\n\n{}\n\n"),
    "names with a number": ConversationForm("1. User:\n{}\n\n", "2. Assistant:\n{}\n\n"),
    "names with a time": ConversationForm("[10:10] user: {}\n\n", "[10:11] assistant: {}\n\n"),
    "names with a date": ConversationForm(
        "[2025-11-20 10:10:00] User:\n{}\n\n", "[2025-11-20 10:11:00] Assistant:\n{}\n\n"
    ),
    "names with a time behind": ConversationForm("You  10:10 AM\n{}\n\n", "Claude  10:11 AM\n{}\n\n"),
    "names in a list": ConversationForm("- **User**: {}\n\n", "- **Assistant**: {}\n\n"),
    "names between rules": ConversationForm("--- user ---\n{}\n\n", "--- assistant ---\n{}\n\n"),
    "names before an angle": ConversationForm("User> {}\n\n", "Assistant> {}\n\n"),
    "a person's name": ConversationForm("Alice: {}\n\n", "Claude: {}\n\n"),
    "a person's name in bold": ConversationForm("**Alice:**\n\n{}\n\n", "**Claude:**\n\n{}\n\n"),
    "questions": ConversationForm("Q: {}\n\n", "A: {}\n\n"),
    "questions in bold": ConversationForm("**Q:** {}\n\n", "**A:** {}\n\n"),
    "German questions": ConversationForm("Frage:\n{}\n\n", "Antwort:\n{}\n\n"),
    "Chinese questions": ConversationForm("问：{}\n\n", "答：{}\n\n"),
    "Polish names": ConversationForm("Użytkownik: {}\n\n", "Asystent: {}\n\n"),
    "French names": ConversationForm("Utilisateur : {}\n\n", "Assistant : {}\n\n"),
    "signs": ConversationForm("👤\n{}\n\n", "🤖\n{}\n\n"),
    "signs in headings": ConversationForm("## 🙋\n\n{}\n\n", "## 🤖\n\n{}\n\n"),
    "what was asked": ConversationForm("User asked:\n{}\n\n", "Assistant answered:\n{}\n\n"),
    "my question": ConversationForm("**My question:**\n\n{}\n\n", "**Claude's response:**\n\n{}\n\n"),
    "roles": ConversationForm("Role: user\nContent:\n{}\n\n", "Role: assistant\nContent:\n{}\n\n"),
    "tags of roles": ConversationForm(
        "<message>\n<role>user</role>\n<content>\n{}\n</content>\n</message>\n",
        "<message>\n<role>assistant</role>\n<content>\n{}\n</content>\n</message>\n",
    ),
    "tags of messages": ConversationForm(
        "<user_message>\n{}\n</user_message>\n", "<assistant_message>\n{}\n</assistant_message>\n"
    ),
    "the query in a tag": ConversationForm("<user_query>\n{}\n</user_query>\n", "\n{}\n\n"),
    "folded": ConversationForm(
        "<details><summary>User</summary>\n\n{}\n\n</details>\n\n",
        "<details open><summary>Assistant</summary>\n\n{}\n\n</details>\n\n",
    ),
    "callouts": ConversationForm("> [!user]\n\n{}\n\n", "> [!assistant]\n\n{}\n\n"),
    "Slack": ConversationForm("Jane Doe\n  10:10 AM\n{}\n", "Claude\nAPP  10:11 AM\n{}\n"),
    "Slack on one line": ConversationForm("Jane Doe  10:10 AM\n{}\n", "Claude  APP  10:11 AM\n{}\n"),
    "Discord": ConversationForm("jane — Today at 10:10 AM\n{}\n\n", "Claude BOT — Today at 10:11 AM\n{}\n\n"),
    "WhatsApp": ConversationForm("[20.11.25, 10:10:00] Jane: {}\n", "[20.11.25, 10:11:00] ChatGPT: {}\n"),
    "Telegram": ConversationForm("Jane, [20.11.25 10:10]\n{}\n\n", "ChatGPT, [20.11.25 10:11]\n{}\n\n"),
    "Teams": ConversationForm("[10:10] Doe, Jane\n{}\n\n", "[10:11] Copilot\n{}\n\n"),
    "tags": ConversationForm("<user>\n{}\n</user>\n", "<assistant>\n{}\n</assistant>\n"),
    "tags on the line of the words": ConversationForm("<human>{}</human>\n\n", "<ai>{}</ai>\n\n"),
    "tags with a role": ConversationForm(
        '<message role="user">\n{}\n</message>\n', '<message role="assistant">\n{}\n</message>\n'
    ),
    "tokens": ConversationForm("<|user|>\n{}\n", "<|assistant|>\n{}\n"),
    "tokens of ChatML": ConversationForm(
        "<|im_start|>user\n{}<|im_end|>\n",
        "<|im_start|>assistant\n{}<|im_end|>\n",
        "<|im_start|>system\nBe brief.<|im_end|>\n",
    ),
    "tokens of Llama": ConversationForm(
        "<|start_header_id|>user<|end_header_id|>\n\n{}<|eot_id|>\n",
        "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>\n",
    ),
    "tokens of Gemma": ConversationForm(
        "<start_of_turn>user\n{}<end_of_turn>\n", "<start_of_turn>model\n{}<end_of_turn>\n"
    ),
    "page of ChatGPT": ConversationForm("You said:\n{}\n", "ChatGPT said:\n{}\n", "Skip to content\nLamps\n"),
    "page of ChatGPT with headings": ConversationForm(
        "##### You said:\n\n{}\n\n", "###### ChatGPT said:\n\n{}\n\n"
    ),
    "page of ChatGPT, German": ConversationForm("Du hast gesagt:\n{}\n", "ChatGPT hat gesagt:\n{}\n"),
    "page of ChatGPT, French": ConversationForm("Vous avez dit :\n{}\n", "ChatGPT a dit :\n{}\n"),
    "page of ChatGPT, Spanish": ConversationForm("Dijiste:\n{}\n", "ChatGPT dijo:\n{}\n"),
    "page of ChatGPT, Portuguese": ConversationForm("Você disse:\n{}\n", "O ChatGPT disse:\n{}\n"),
    "page of ChatGPT, Italian": ConversationForm("Hai detto:\n{}\n", "ChatGPT ha detto:\n{}\n"),
    "page of ChatGPT, Polish": ConversationForm("Powiedziałeś(-aś):\n{}\n", "ChatGPT powiedział:\n{}\n"),
    "page of ChatGPT, Dutch": ConversationForm("Je zei:\n{}\n", "ChatGPT zei:\n{}\n"),
    "page of ChatGPT, Russian": ConversationForm("Вы сказали:\n{}\n", "ChatGPT сказал:\n{}\n"),
    "page of ChatGPT, Ukrainian": ConversationForm("Ви сказали:\n{}\n", "Програма ChatGPT сказала:\n{}\n"),
    "page of ChatGPT, Chinese": ConversationForm("您说：\n{}\n", "ChatGPT 说：\n{}\n"),
    "page of ChatGPT, Korean": ConversationForm("나의 말:\n{}\n", "ChatGPT의 말:\n{}\n"),
    "page of Gemini": ConversationForm(
        "You said\n\n{}\n", "Gemini said\n\n{}\n", "Conversation with Gemini\n"
    ),
    "page of Gemini, German": ConversationForm("Du hast gesagt\n{}\n", "Gemini hat gesagt\n{}\n"),
    "page of Claude": ConversationForm("You said: {}\n", "Claude responded: {}\n"),
    "brackets, Chinese": ConversationForm("【用户】\n{}\n\n", "【助手】\n{}\n\n"),
    "brackets, French": ConversationForm("« Moi »\n{}\n\n", "« ChatGPT »\n{}\n\n"),
    "names of Doubao": ConversationForm("我：{}\n\n", "豆包：{}\n\n"),
    "a bot's name": ConversationForm("jane: {}\n", "claude-bot: {}\n"),
    "fields": ConversationForm(":user: {}\n\n", ":assistant: {}\n\n"),
    "cells": ConversationForm("| User |\n\n{}\n\n", "| Assistant |\n\n{}\n\n"),
    "two angles": ConversationForm(">> User:\n{}\n\n", ">> ChatGPT:\n{}\n\n", "Conversation\n"),
    "blocks of Org": ConversationForm(
        "#+begin_user\n{}\n#+end_user\n", "#+begin_assistant\n{}\n#+end_assistant\n"
    ),
    "headings of Org": ConversationForm("* User\n{}\n", "* Assistant\n{}\n"),
    "headings of AsciiDoc": ConversationForm("== User\n\n{}\n\n", "== Assistant\n\n{}\n\n"),
    "headings that are underlined": ConversationForm(
        "User\n----\n\n{}\n\n", "Assistant\n---------\n\n{}\n\n"
    ),
    "divisions": ConversationForm(
        '<div class="user">\n\n{}\n\n</div>\n', '<div class="assistant">\n\n{}\n\n</div>\n'
    ),
    "numbers and bold names": ConversationForm("1. **User**\n\n{}\n\n", "2. **Assistant**\n\n{}\n\n"),
    "TOML": ConversationForm(
        "[[messages]]\nrole = \"user\"\ncontent = '''\n{}\n'''\n\n",
        "[[messages]]\nrole = \"assistant\"\ncontent = '''\n{}\n'''\n\n",
    ),
    "prompts": ConversationForm("❯ {}\n\n", "● {}\n\n"),
    "a notebook": ConversationForm("In [1]: {}\n\n", "Out[1]: {}\n\n"),
    "a parrot": ConversationForm("🗨: {}\n\n", "🦜: {}\n\n"),
    "gp.nvim": ConversationForm("💬: {}\n\n", "🤖:[Claude]\n{}\n\n"),
    "CodeCompanion": ConversationForm("## Me\n\n{}\n\n", "## CodeCompanion (gpt-4o)\n\n{}\n\n"),
    "Copilot in Visual Studio Code": ConversationForm("octo-cat: {}\n\n", "GitHub Copilot: {}\n\n"),
    "aider": ConversationForm(
        "{}\n\n",
        "{}\n\n> Tokens: 2.3k sent, 300 received.  \n\n",
        "\n# aider chat started at 2026-01-02 10:20:30\n\n> Aider v0.86.2  \n> Repo: .git with 3 files  \n\n",
        "#### {}  ",
    ),
}
"""Conversations by the name of their form."""
