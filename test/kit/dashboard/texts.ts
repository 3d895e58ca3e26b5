import { parseAst } from 'rolldown/parseAst';

export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** `used`: the key of a translation. `bypass`: a text that is not translated. `dynamic`: a key that is not a literal. */
  readonly kind: 'used' | 'bypass' | 'dynamic';
  readonly isPlural: boolean;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** The functions of the catalogue, with the number of arguments that are texts. */
const FUNCTIONS: Record<string, number> = { t: 1, plural: 2, rich: 1 };

/** Attributes and properties whose values people read. */
const VISIBLE =
  /^(?:label|title|hint|placeholder|description|action|verb|noun|header|heading|error|alt|text|empty|aria-(?:label|description|valuetext|roledescription))$/;
/** Attributes, properties and functions whose values people do not read. */
const TECHNICAL =
  /^(?:className|class|style|to|href|src|key|id|value|type|d|viewBox|accept|fill|queryKey|timeZone)$/;
/** Functions whose arguments people do not read. */
const NOT_READ = new Set(['cx', 'getRouteApi', 'pageOf', 'get', 'set', 'startBulkJob']);
/** Elements whose content is code, for example an address to copy. */
const CODE = new Set(['code', 'kbd', 'pre', 'samp']);

const NO_TEXTS = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSTypeAnnotation',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeParameterInstantiation',
]);
/** Their parts are what the attribute around them shows. */
const INHERITING = new Set(['JSXExpressionContainer', 'LogicalExpression']);

const LETTERS = /\p{L}{2}/u;
/** Quotation marks depend on the language. */
const QUOTATION = /[“”„]/;
/** A word or sentence: it begins with a capital that a small letter or a space follows, or ends like a sentence. */
const SENTENCE = /^\p{Lu}(?:[\p{Ll}’']|\s)|\p{Ll}[.!?…]$/u;
/** The name of a class, a component or a time zone. */
const NAME = /^(?:(?:[A-Z][a-z]+){2,}|[A-Z][a-z]+(?:\/[A-Z]\w+)+)$/;
const KEYS =
  /^(?:Ctrl (?:.|Enter)|Enter|Escape|Tab|Backspace|Delete|Home|End|Arrow\w+|Page\w+|Shift|Control|Meta|Alt)$/;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return String(node.name ?? node.value ?? '');
};

const textOf = (node: Node): string | undefined => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'JSXText') return String(node.value);
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node.quasis as readonly { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('{}');
};

type Context = 'any' | 'visible' | 'ignored';

/** The texts of a source file: those of the catalogue, and those that bypass it. */
export const findTexts = (file: string, source: string): Finding[] => {
  const findings: Finding[] = [];
  const add = (node: Node, text: string, kind: Finding['kind'], isPlural = false) => {
    const line = source.slice(0, node.start).split('\n').length;
    findings.push({ file, line, text, kind, isPlural });
  };
  const visitAll = (node: Node, context: Context) => {
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, context);
    }
  };
  const visitCall = (node: Node, context: Context) => {
    const args = node.arguments as readonly Node[];
    const isOwn = isNode(node.callee) && node.callee.type === 'Identifier';
    const texts = isOwn ? FUNCTIONS[nameOf(node.callee)] : undefined;
    if (texts === undefined) {
      visitEach(args, NOT_READ.has(nameOf(node.callee)) ? 'ignored' : 'any');
      if (isNode(node.callee)) visit(node.callee, context);
      return;
    }
    const first = texts === 2 ? 1 : 0;
    const key = args[first];
    if (!key) return;
    const text = key.type === 'Literal' ? textOf(key) : undefined;
    if (text === undefined) add(key, source.slice(key.start, key.end as number), 'dynamic');
    else add(key, text, 'used', texts === 2);
    for (const arg of [...args.slice(0, first), ...args.slice(first + texts)]) visit(arg, 'any');
  };
  const visitText = (node: Node, context: Context) => {
    const text = textOf(node)?.trim();
    if (text === undefined || context === 'ignored') return;
    const isText =
      QUOTATION.test(text) ||
      (context === 'visible' || node.type === 'JSXText'
        ? LETTERS.test(text)
        : SENTENCE.test(text) && !KEYS.test(text) && !NAME.test(text));
    if (isText) add(node, text, 'bypass');
  };
  const visitEach = (nodes: unknown, context: Context) => {
    for (const node of nodes as readonly Node[]) visit(node, context);
  };
  const visitElement = (node: Node) => {
    const opening = node.openingElement as Node;
    visit(opening, 'any');
    visitEach(node.children, CODE.has(nameOf(opening.name)) ? 'ignored' : 'any');
  };
  /** An attribute of an element or a property of an object. */
  const visitNamed = (node: Node, context: Context) => {
    const name = nameOf(node.type === 'Property' ? node.key : node.name);
    const isIgnored = (context === 'ignored' && node.type === 'Property') || TECHNICAL.test(name);
    if (isNode(node.value)) visit(node.value, isIgnored ? 'ignored' : VISIBLE.test(name) ? 'visible' : 'any');
  };
  const visit = (node: Node, context: Context): void => {
    const { type } = node;
    if (NO_TEXTS.has(type)) return;
    if (type === 'CallExpression' || type === 'NewExpression') visitCall(node, context);
    else if (type === 'BinaryExpression') visitAll(node, 'ignored');
    else if (type === 'JSXElement') visitElement(node);
    else if (type === 'JSXAttribute' || type === 'Property') visitNamed(node, context);
    else if (type === 'Literal' || type === 'JSXText') visitText(node, context);
    else if (type === 'TemplateLiteral') {
      visitText(node, context);
      visitEach(node.expressions, context);
    } else if (type === 'ConditionalExpression') {
      visit(node.test as Node, 'ignored');
      visitEach([node.consequent, node.alternate], context);
    } else visitAll(node, INHERITING.has(type) || context === 'ignored' ? context : 'any');
  };
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node, 'any');
  return findings;
};

/** The string and template literals of a source file; `{}` stands for an expression. */
export const literalsIn = (source: string): string[] => {
  const found: string[] = [];
  const visit = (node: Node) => {
    const text = textOf(node);
    if (text !== undefined) found.push(text);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return found;
};
