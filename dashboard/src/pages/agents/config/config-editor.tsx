import { useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo } from 'react';
import { t } from '../../../lib/i18n.ts';
import { configSchemaQuery } from '../version-query.ts';
import JsonEditor from './json-editor.tsx';
import { reportedProblems } from './reported.ts';
import type { SchemaObject } from './schema.ts';

/** The editor of a configuration, with the schema of the agent. */
const ConfigEditor = ({
  agent,
  describedBy,
  value,
  onChange,
  error,
  bar,
}: {
  readonly agent: string;
  readonly describedBy: string;
  readonly value: string;
  readonly onChange: (config: string) => void;
  /** Why the configuration could not be saved. */
  readonly error: unknown;
  readonly bar: RefObject<HTMLElement | null>;
}) => {
  const schema = useQuery(configSchemaQuery(agent)).data?.data.schema;
  const reported = useMemo(() => reportedProblems(error, 'config'), [error]);
  return (
    <>
      <JsonEditor
        label={t('Configuration')}
        describedBy={describedBy}
        value={value}
        onChange={onChange}
        schema={(schema ?? undefined) as SchemaObject | undefined}
        reported={reported}
        bar={bar}
      />
      <p className="border-t border-line px-3.5 py-2 text-[0.8125rem] text-muted">
        {schema
          ? t('The schema of this agent completes names and values: type a quote, or press Ctrl Space.')
          : t(
              'What else your runtime needs, such as the model, the voice and tools. Write secrets as references: "$secret:name".',
            )}
      </p>
    </>
  );
};

export default ConfigEditor;
