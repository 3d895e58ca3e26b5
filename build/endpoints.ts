import { readFileSync, writeFileSync } from 'node:fs';

/** Writes docs/openapi.md, the table of endpoints, from the OpenAPI document. */
interface Operation {
  readonly summary: string;
  readonly 'x-required-scopes': readonly string[];
}

const docs = new URL('../docs/', import.meta.url);
const { paths } = JSON.parse(readFileSync(new URL('openapi.json', docs), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

const rows = Object.entries(paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { summary, 'x-required-scopes': scopes }]) => {
      const listed = scopes.map((scope) => `\`${scope}\``).join(', ');
      return `| \`${method.toUpperCase()} ${path.replace('/v1', '')}\` | ${listed} | ${summary} |`;
    }),
  );

const page = `# Endpoints

Every endpoint below \`/v1\`, with the [scopes](api.md#scopes) that it requires. \`npm run openapi\` writes this page; the reference
at \`/docs\` has the fields. The [hooks](hooks.md) have their own credentials.

| Endpoint | Scopes | |
|---|---|---|
${rows.join('\n')}
`;
writeFileSync(new URL('openapi.md', docs), page);
