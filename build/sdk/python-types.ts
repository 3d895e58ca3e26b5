/** A JSON Schema of the OpenAPI document, as far as Python's types express it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

const PLAIN = new Map(
  Object.entries({ string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }),
);
const KEYWORDS = new Set('as class def except for from global if import in is not or pass with'.split(' '));

export const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);

/** A text as a Python string of one line. */
export const quoted = (text: string): string => JSON.stringify(text.replace(/\s+/g, ' ').trim());

const docOf = (text = ''): string => (text ? `    ""${quoted(text)}""\n` : '');
const literal = (value: unknown): string =>
  JSON.stringify(value).replace('true', 'True').replace('false', 'False');
export const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** A type that names classes which follow is text; a call evaluates it. */
const late = (type: string): string => `"${type.replaceAll('"', "'")}"`;

/** The schemas as TypedDicts and aliases. */
export class PythonTypes {
  /** Their definitions by their names. */
  readonly texts = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    for (const [name, schema] of Object.entries(schemas)) {
      if (this.texts.has(name))
        throw new Error(`${name} is also the name of an object within another schema.`);
      if (schema.properties) this.#declare(name, schema);
      else this.texts.set(name, `${name}: TypeAlias = ${late(this.type(schema, name))}\n`);
    }
  }

  /** The type of a schema. An object within it becomes a TypedDict of the given name. */
  type(schema: Schema, name: string): string {
    const { $ref, type, enum: values, properties, additionalProperties: others, items } = schema;
    if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
    if ('const' in schema) return `Literal[${literal(schema.const)}]`;
    if (values) {
      const texts = `Literal[${values
        .filter((value) => value !== null)
        .map(literal)
        .join(', ')}]`;
      return values.includes(null) ? `${texts} | None` : texts;
    }
    const choices = schema.oneOf ?? schema.anyOf;
    if (type === undefined && choices)
      return unionOf(choices.map((each, at) => this.type(each, `${name}${at + 1}`)));
    const typeOf = (each: string | undefined) => {
      if (each === 'array') return `list[${this.type(items ?? {}, `${name}Item`)}]`;
      if (each === 'object' && properties) return this.#declare(name, schema);
      if (each !== 'object') return PLAIN.get(each ?? '') ?? 'Any';
      return `dict[str, ${typeof others === 'object' ? this.type(others, `${name}Value`) : 'Any'}]`;
    };
    return unionOf([type].flat().map(typeOf));
  }

  #declare(name: string, { properties = {}, required = [], description }: Schema): string {
    // Takes its place before those of the objects within it.
    this.texts.set(name, '');
    const members = Object.entries(properties).map(([key, schema]) => {
      const inner = name + key.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return {
        key,
        type: this.type(schema, inner),
        doc: docOf(schema.description),
        isOptional: !required.includes(key),
      };
    });
    const partOf = (own: string, base: string, list: typeof members) => {
      const total = list.some((each) => each.isOptional) ? ', total=False' : '';
      const pairs = list.map(({ key, type }) => `    ${quoted(key)}: ${late(type)},\n`).join('');
      if (!list.every(({ key }) => isName(key)))
        return `${own} = TypedDict("${own}", {\n${pairs}}${total})\n`;
      const lines = list.map(({ key, type, doc }) => `    ${key}: ${type}\n${doc}`).join('');
      return `class ${own}(${base}${total}):\n${own === name ? docOf(description) : ''}${lines || '    pass\n'}`;
    };
    const [some, all] = [true, false].map((is) => members.filter((each) => each.isOptional === is));
    if (!some?.length || !all?.length) this.texts.set(name, partOf(name, 'TypedDict', members));
    else {
      // Python 3.10 has neither Required nor NotRequired, so the required members have a class of their own.
      const parts = [partOf(`_${name}`, 'TypedDict', all)];
      if (some.every(({ key }) => isName(key))) parts.push(partOf(name, `_${name}`, some));
      else parts.push(partOf(`_${name}Optional`, '', some), partOf(name, `_${name}, _${name}Optional`, []));
      this.texts.set(name, parts.join('\n\n'));
    }
    return name;
  }
}
