<?php

declare(strict_types=1);

namespace App\Forms;

use App\Validation\{Email, Length, Pattern, Required, Rule};
use InvalidArgumentException;
use Psr\Http\Message\ServerRequestInterface;

/**
 * A form: its fields, what was entered, and what is wrong with that.
 */
final class Form
{
    public const LONGEST_VALUE = 4000;
    public const MOST_FIELDS = 64;
    public const TOKEN_FIELD = '_token';
    private const TOKEN_BYTES = 32;

    /** @var array<string, Field> */
    private array $fields = [];

    /** @var array<string, string> */
    private array $values = [];

    /** @var array<string, list<string>> */
    private array $errors = [];

    // Made when it is first asked for.
    private ?string $token = null;

    public function __construct(private string $action, private string $method = 'POST')
    {
    }

    public function text(string $name, string $label, Rule ...$rules): self
    {
        return $this->add(new Field($name, $label, 'text', $rules));
    }

    public function email(string $name, string $label, Rule ...$rules): self
    {
        return $this->add(new Field($name, $label, 'email', [...$rules, new Email()]));
    }

    public function password(string $name, string $label, Rule ...$rules): self
    {
        return $this->add(new Field($name, $label, 'password', [...$rules, new Length(12, 200)]));
    }

    private function add(Field $field): self
    {
        if (count($this->fields) >= self::MOST_FIELDS) {
            throw new InvalidArgumentException('the form has too many fields');
        }
        if (isset($this->fields[$field->name])) {
            throw new InvalidArgumentException("the form has a field {$field->name}");
        }
        $this->fields[$field->name] = $field;
        return $this;
    }

    public function fill(ServerRequestInterface $request): bool
    {
        $entered = (array) $request->getParsedBody();
        // Whoever has no token has not seen the form.
        if (!hash_equals($this->token(), (string) ($entered[self::TOKEN_FIELD] ?? ''))) {
            $this->errors[self::TOKEN_FIELD][] = 'The form has expired.';
            return false;
        }
        foreach ($this->fields as $name => $field) {
            $value = trim((string) ($entered[$name] ?? ''));
            $this->values[$name] = mb_substr($value, 0, self::LONGEST_VALUE);
        }
        return $this->validate();
    }

    public function validate(): bool
    {
        foreach ($this->fields as $name => $field) {
            foreach ($field->rules as $rule) {
                $problem = $rule->problem($this->values[$name] ?? '', $this->values);
                // One problem a field is enough to be told.
                if ($problem !== null) {
                    $this->errors[$name][] = $problem;
                    break;
                }
            }
        }
        return $this->errors === [];
    }

    public function value(string $name): string
    {
        return $this->values[$name] ?? '';
    }

    public function errors(string $name): array
    {
        return $this->errors[$name] ?? [];
    }

    public function token(): string
    {
        if ($this->token === null) {
            $this->token = bin2hex(random_bytes(self::TOKEN_BYTES));
        }
        return $this->token;
    }

    public function render(): string
    {
        $rows = array_map(fn (Field $field): string => $this->row($field, $this->value($field->name)), $this->fields);
        return sprintf('<form action="%s" method="%s">%s</form>', $this->action, $this->method, implode('', $rows));
    }

    private function row(Field $field, string $value): string
    {
        $input = sprintf('<input type="%s" name="%s" value="%s">', $field->type, $field->name, e($value));
        return "<label>{$field->label} {$input}</label>";
    }
}
