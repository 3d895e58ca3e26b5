import { type Diagnosis, judge } from '../../lib/diagnosis.ts';

/** Settings that decide whether the server's log contains values of statements, such as phone numbers. */
export interface LogSettings {
  readonly log_statement: string;
  /** In milliseconds; -1 logs no statement. */
  readonly log_min_duration_statement: number;
  readonly log_min_duration_sample: number;
  readonly log_transaction_sample_rate: number;
  /** In bytes; 0 logs no values, -1 logs them completely. */
  readonly log_parameter_max_length: number;
  readonly log_parameter_max_length_on_error: number;
}

/** Columns of a select. */
export const LOG_SETTINGS = `current_setting('log_statement') as log_statement,
  (select setting::float8 from pg_settings where name = 'log_min_duration_statement') as log_min_duration_statement,
  (select setting::float8 from pg_settings where name = 'log_min_duration_sample') as log_min_duration_sample,
  current_setting('log_transaction_sample_rate')::float8 as log_transaction_sample_rate,
  (select setting::float8 from pg_settings where name = 'log_parameter_max_length') as log_parameter_max_length,
  (select setting::float8 from pg_settings where name = 'log_parameter_max_length_on_error')
    as log_parameter_max_length_on_error`;

export const diagnoseServerLog = (settings: LogSettings): Diagnosis => {
  const is = (name: keyof LogSettings) => `${name} = ${settings[name]}`;
  const statements =
    settings.log_parameter_max_length === 0
      ? []
      : [
          ['mod', 'all'].includes(settings.log_statement) && is('log_statement'),
          settings.log_min_duration_statement >= 0 && is('log_min_duration_statement'),
          settings.log_min_duration_sample >= 0 && is('log_min_duration_sample'),
          settings.log_transaction_sample_rate > 0 && is('log_transaction_sample_rate'),
        ].filter((cause) => cause !== false);
  const errors =
    settings.log_parameter_max_length_on_error === 0 ? [] : [is('log_parameter_max_length_on_error')];
  const causes = [...statements, ...errors];
  const fixes = [
    ...statements.slice(0, 1).map(() => 'log_parameter_max_length = 0'),
    ...errors.map(() => 'log_parameter_max_length_on_error = 0'),
  ];
  return judge(
    'Server log',
    'PostgreSQL does not log the values of statements.',
    causes.length > 0 && [
      'warning',
      `PostgreSQL logs values of statements, such as phone numbers: ${causes.join(', ')}.`,
      `Set ${fixes.join(' and ')} in postgresql.conf and reload it.`,
    ],
  );
};
