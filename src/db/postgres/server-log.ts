import type { Finding } from '../../lib/diagnosis.ts';

/** Settings that make the server log statements, with the values of those that do. */
const STATEMENTS: Readonly<Record<string, (value: string) => boolean>> = {
  log_statement: (value) => ['mod', 'all'].includes(value),
  log_min_duration_statement: (value) => Number(value) >= 0,
  log_min_duration_sample: (value) => Number(value) >= 0,
  log_transaction_sample_rate: (value) => Number(value) > 0,
};

/** How many bytes of a value are logged with a statement, and with an error; -1 logs all of it. */
const [LENGTH, LENGTH_ON_ERROR] = ['log_parameter_max_length', 'log_parameter_max_length_on_error'] as const;

export const LOG_SETTINGS = [...Object.keys(STATEMENTS), LENGTH, LENGTH_ON_ERROR];

/** Whether the server's log contains values of statements, such as phone numbers. */
export const findLoggedValues = (settings: Readonly<Record<string, string>>): Finding => {
  const statements = Object.keys(STATEMENTS).filter(
    (name) => Number(settings[LENGTH]) !== 0 && STATEMENTS[name]?.(settings[name] ?? ''),
  );
  const errors = Number(settings[LENGTH_ON_ERROR]) === 0 ? [] : [LENGTH_ON_ERROR];
  const causes = [...statements, ...errors].map((name) => `${name} = ${settings[name]}`);
  if (causes.length === 0) return 'PostgreSQL does not log the values of statements.';
  const fixes = [...(statements.length > 0 ? [LENGTH] : []), ...errors].map((name) => `${name} = 0`);
  return [
    'warning',
    `PostgreSQL logs values of statements, such as phone numbers: ${causes.join(', ')}.`,
    `Set ${fixes.join(' and ')} in postgresql.conf and reload it.`,
  ];
};
