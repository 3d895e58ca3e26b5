import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Writes sdk/src/openapi.gen.ts, the types of the SDK, from docs/openapi.json. */
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = here('../../sdk/src/openapi.gen.ts');

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { headers?: unknown }> }>>;
}

/** All errors have one schema, and the headers of responses are the same everywhere. Without them the types have a third of
 *  the size. */
const withoutErrors = (document: Document): Document => {
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    for (const [, response] of successes) delete response.headers;
    operation.responses = Object.fromEntries(successes);
  }
  return document;
};

const DESCRIBES_MEMBERS = ['properties', 'additionalProperties', 'oneOf', 'anyOf', 'allOf'];

/** Without this, an object of any members would become one without members, a text with several patterns `unknown`, and an object of
 *  which some members are required together a union that accepts everything. */
const withPlainTypes = <T>(node: T): T => {
  if (typeof node !== 'object' || node === null) return node;
  const schema = node as Record<string, unknown>;
  if (schema.type === 'object' && !DESCRIBES_MEMBERS.some((name) => name in schema))
    schema.additionalProperties = true;
  if (schema.type === 'string' || 'properties' in schema) {
    delete schema.anyOf;
    delete schema.oneOf;
  }
  for (const each of Object.values(schema)) withPlainTypes(each);
  return node;
};

/** TypeScript 7 has no compiler API in JavaScript, which openapi-typescript needs; `@ts-morph/common` contains the one of
 *  TypeScript 5. */
const provideCompilerApi = () => {
  const url = `data:text/javascript,${encodeURIComponent(
    `import { createRequire } from 'node:module';
     export default createRequire(${JSON.stringify(import.meta.url)})('@ts-morph/common').ts;`,
  )}`;
  return registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
        ? { url, shortCircuit: true }
        : next(name, context),
  });
};

export const generateSdkTypes = async (): Promise<string> => {
  const hooks = provideCompilerApi();
  try {
    const { astToString, default: toAst } = await import('openapi-typescript');
    const document = withPlainTypes(
      withoutErrors(JSON.parse(readFileSync(here('../../docs/openapi.json'), 'utf8'))),
    );
    const ast = await toAst(document as never, { defaultNonNullable: false, silent: true });
    return `// Generated from docs/openapi.json by build/sdk/types.ts.\n\n${astToString(ast)}`;
  } finally {
    hooks.deregister();
  }
};

if (import.meta.main) writeFileSync(TARGET, await generateSdkTypes());
