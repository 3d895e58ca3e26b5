import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { memberText } from '../../lib/json-text.ts';

/** What a version consists of, as texts that are stored byte for byte. */
export interface Content {
  readonly text: string;
  /** A JSON object. */
  readonly config: string;
}

export const NO_CONFIG = '{}';

/** A member of `data` as it was stored. */
export const storedText = (response: string | undefined, name: string): string | undefined =>
  memberText(memberText(response ?? '', 'data') ?? '', name);

/** Options for `useQuery` with a version and its content. */
export const versionQuery = (agent: string, version: string) => {
  const params = { id: agent, version };
  return queryOptions({
    queryKey: ['/agents/{id}/versions/{version}', params, 'content'],
    queryFn: async ({ signal }) => {
      const { text, ...answer } = await call('GET', '/agents/{id}/versions/{version}', {
        params,
        signal,
        keepText: true,
      });
      const content: Content = {
        text: answer.data.instructions,
        config: storedText(text, 'config') ?? NO_CONFIG,
      };
      return { ...answer, content };
    },
  });
};

/** Options for `useQuery` with the JSON Schema of an agent's config: `null` if it has none. */
export const configSchemaQuery = (agent: string) => {
  const params = { id: agent };
  return queryOptions({
    queryKey: ['/agents/{id}/config-schema', params],
    queryFn: async ({ signal }) => {
      const { text, ...answer } = await call('GET', '/agents/{id}/config-schema', {
        params,
        signal,
        keepText: true,
      });
      return { ...answer, source: answer.data.schema === null ? undefined : storedText(text, 'schema') };
    },
  });
};

/** A JSON body with a member that is JSON already and must not be written again. */
export const bodyWith = (name: string, json: string, others: object = {}): Blob => {
  const rest = JSON.stringify(others).slice(1, -1);
  return new Blob([`{${rest}${rest && ','}${JSON.stringify(name)}:${json}}`], { type: 'application/json' });
};
