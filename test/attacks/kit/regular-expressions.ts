import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

export interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** A node of the syntax tree. */
type Node = { readonly type?: string; readonly [name: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function* nodesIn(value: unknown): Generator<Node> {
  if (!isNode(value)) return;
  yield value;
  for (const each of Object.values(value)) yield* nodesIn(each);
}

const isConstructed = ({ type, callee }: Node) =>
  (type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee.name === 'RegExp';

/** Every regular expression literal of the sources, and the files that construct others. */
export const literalsIn = (...globs: string[]): { literals: Pattern[]; constructing: Set<string> } => {
  const literals: Pattern[] = [];
  const constructing = new Set<string>();
  const files = globSync(globs).filter((file) => !/\.(?:test|d)\.ts$/.test(file));
  for (const file of files) {
    const lang = file.endsWith('x') ? ('tsx' as const) : ('ts' as const);
    for (const node of nodesIn(parseAst(readFileSync(file, 'utf8'), { lang }))) {
      const { regex } = node as { regex?: { pattern: string; flags: string } };
      if (node.type === 'Literal' && regex)
        literals.push({ file, source: regex.pattern, flags: regex.flags });
      if (isConstructed(node)) constructing.add(file);
    }
  }
  return { literals, constructing };
};

/** Every regular expression that is constructed while `load` runs. */
export const constructedDuring = async (load: () => Promise<unknown>): Promise<Pattern[]> => {
  const found: Pattern[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags = '']: [string, string?]) => {
      const stack = new Error().stack ?? '';
      const file = /\/((?:src|dashboard)\/[^:?]*)/.exec(stack.split('\n').slice(2).join('\n'))?.[1] ?? '';
      found.push({ file, source: String(source), flags });
      return new target(source, flags);
    },
  });
  await load().finally(() => {
    globalThis.RegExp = original;
  });
  return found;
};
