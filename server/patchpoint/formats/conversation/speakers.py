"""Who speaks in a conversation: the sides, their names, and the wordings of pages in each language."""

from enum import Enum

from patchpoint.formats.spelling import phrases_of


class Speaker(Enum):
    """Whose words a turn has."""

    USER = "user"
    MODEL = "model"
    TOOL = "tool"
    """What a program printed, or what came of a tool call."""


USER_NAMES = phrases_of("""
user, human, you, me, prompt, instruction, question, du, ich, nutzer, benutzer, mensch, vous, moi,
utilisateur, tú, usted, yo, usuario, você, usuário, tu, utente, вы, пользователь, 用户, 使用者, 你, 您,
我, ユーザー, あなた, 自分, 사용자, 나, użytkownik, gebruiker, kullanıcı, користувач, användare,
uživatel, người dùng, frage, pregunta, pergunta, domanda, вопрос, 提问, 问题, 質問, 질문
""")
PRODUCT_NAMES = phrases_of("""
chatgpt, gpt, claude, gemini, bard, copilot, github copilot, cursor, deepseek, grok, llama, qwen,
mistral, codestral, devstral, kimi, glm, perplexity, codex, opencode, aider, cline, roo, windsurf,
cascade, gemma, phi, granite, minimax, codecompanion, meta ai, le chat, doubao, 豆包, 通义千问,
文心一言, 智谱清言, 元宝
""")
MODEL_NAMES = phrases_of("""
assistant, ai assistant, ai, llm, response, answer, assistent, ki, ki-assistent, ia, asistente,
assistente, ассистент, ии, 助手, 助理, アシスタント, 어시스턴트, asystent, asistan, асистент, asistent,
trợ lý, antwort, respuesta, resposta, risposta, réponse, ответ, 回答, 答案, 답변
""")
COMMON_NAMES = phrases_of("""
agent, model, bot
""")
"""Names of the model that code has as well: only with a colon, a note or an emoji are they labels."""
BARE_NAMES = frozenset(("you", "user", "human", "assistant"))
"""With the products, the names that are labels without any mark."""
OTHER_NAMES = phrases_of("""
system, developer, tool, tool result, tool output, tool response, function
""")

PAGE_USER = phrases_of("""
you said, i said, du hast gesagt, sie haben gesagt, vous avez dit, tu as dit, dijiste, tú dijiste,
has dicho, hai detto, você disse, вы сказали, ви сказали, powiedziałeś(-aś), je zei, 你说, 您说, 你說,
您說, 나의 말, あなたの発言
""")
_PAGE_PRODUCTS = phrases_of("""
chatgpt, gemini, claude, copilot, grok, deepseek
""")
_PAGE_WORDINGS = phrases_of("""
{} said, {} responded, {} hat gesagt, {} a dit, {} dijo, {} ha dicho, {} ha detto, {} disse, o {} disse,
{} сказал, {} сказала, {} сказав, программа {} сказала, програма {} сказала, {} powiedział, {} zei,
{} 说, {}说, {} 說, {}說, {}의 말, {} の発言, {}の発言
""")
PAGE_MODEL = tuple(wording.format(product) for product in _PAGE_PRODUCTS for wording in _PAGE_WORDINGS)
THOUGHTS = (
    r"(?:(?:thought|reasoned)[ ]for[ ](?:\d{1,4}|a[ ](?:few|couple[ ]of))[ ]?(?:s|m|minutes?|seconds?)\b"
    r"[\w ]{0,20}|已(?:深度)?思考[（(]?(?:用时)?[ ]?\d+[ ]?秒[）)]?)"
)
"""The line by which a page folds up what the model thought, above its answer."""
