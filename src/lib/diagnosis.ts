/** The result of one check of `roster doctor`. */
export interface Diagnosis {
  /** `warning`: works, but is slow, unsafe or will fail later. `problem`: the service does not work or may lose data. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly message: string;
  /** What to change. Absent if everything is fine. */
  readonly fix?: string;
}

export const ok = (subject: string, message: string): Diagnosis => ({ level: 'ok', subject, message });

export const warning = (subject: string, message: string, fix: string): Diagnosis => ({
  level: 'warning',
  subject,
  message,
  fix,
});

export const problem = (subject: string, message: string, fix: string): Diagnosis => ({
  level: 'problem',
  subject,
  message,
  fix,
});

/** What is wrong, if anything. */
export type Fault = readonly [level: 'warning' | 'problem', message: string, fix: string] | false | undefined;

/** The first fault of a subject, or a message that it is fine. */
export const judge = (subject: string, message: string, ...faults: readonly Fault[]): Diagnosis => {
  const fault = faults.find((each) => each !== undefined && each !== false);
  return fault ? { level: fault[0], subject, message: fault[1], fix: fault[2] } : ok(subject, message);
};

/** `1.5 MB`, in powers of ten. */
export const formatBytes = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};
