# frozen_string_literal: true

require "erb"
require "net/smtp"
require "time"

require_relative "templates"

module Post
  DEFAULT_HOST = "localhost"
  DEFAULT_PORT = 25
  LONGEST_SUBJECT = 78
  MOST_RECIPIENTS = 50

  HEADERS = %w[From To Cc Subject Date].freeze

  class Error < StandardError; end

  class NoTemplate < Error; end

  # A message, before and after it is rendered.
  class Message
    attr_accessor :from, :to, :cc, :subject, :body
    attr_reader :attachments

    def initialize(from:, to:, subject:, cc: [])
      @from = from
      @to = Array(to)
      @cc = Array(cc)
      @subject = subject
      # Files are read when the message is sent, not before.
      @attachments = []
    end

    def attach(path, type: "application/octet-stream", name: nil)
      raise ArgumentError, "no file #{path}" unless File.file?(path)

      @attachments << { path: path, type: type, name: name || File.basename(path) }
      self
    end

    def recipients
      (to + cc).uniq
    end

    def headers
      {
        "From" => from,
        "To" => to.join(", "),
        "Cc" => cc.join(", "),
        "Subject" => subject[0, LONGEST_SUBJECT],
        "Date" => Time.now.rfc2822,
      }
    end

    def to_s
      lines = headers.reject { |_, value| value.empty? }.map { |name, value| "#{name}: #{value}" }
      [*lines, "", body].join("\r\n")
    end
  end

  # Sends messages, and remembers those that could not be sent.
  class Mailer
    attr_reader :failed, :sent

    def initialize(host: DEFAULT_HOST, port: DEFAULT_PORT, templates: Templates.new)
      @host = host
      @port = port
      @templates = templates
      @failed = []
      @sent = 0
    end

    def welcome(user)
      message = Message.new(from: sender, to: user.email, subject: "Welcome")
      message.body = render(:welcome, user: user, link: link_for(user, :confirm))
      deliver(message)
    end

    def goodbye(user)
      message = Message.new(from: sender, to: user.email, subject: "Goodbye")
      message.body = render(:goodbye, user: user, link: link_for(user, :return))
      deliver(message)
    end

    def reminder(user, days)
      message = Message.new(from: sender, to: user.email, subject: "#{days} days left")
      message.body = render(:reminder, user: user, days: days)
      deliver(message)
    end

    def deliver(message)
      # Some servers take no more than so many at a time.
      message.recipients.each_slice(MOST_RECIPIENTS) do |some|
        transport(message, some)
      end
      @sent += 1
    rescue Net::SMTPError, IOError => e
      @failed << [message, e.message]
      false
    end

    def retry_failed
      waiting, @failed = @failed, []
      waiting.each { |message, _| deliver(message) }
      @failed.empty?
    end

    private

    def sender
      "post@#{@host}"
    end

    def link_for(user, action)
      "https://#{@host}/#{action}?token=#{user.token}"
    end

    def render(name, **values)
      source = @templates[name] or raise NoTemplate, name.to_s
      ERB.new(source, trim_mode: "-").result_with_hash(values)
    end

    def transport(message, recipients)
      Net::SMTP.start(@host, @port) do |smtp|
        smtp.send_message(message.to_s, message.from, recipients)
      end
    end
  end
end
