/** The result of one check of `roster doctor`. */
export interface Diagnosis {
  /** `warning`: works, but is slow, unsafe or will fail later. `problem`: the service does not work or may lose data. */
  readonly level: 'ok' | 'warning' | 'problem';
  readonly subject: string;
  readonly message: string;
  /** What to change. Absent if everything is fine. */
  readonly fix?: string;
}

/** What is wrong, and what to change. */
export type Fault = readonly [level: 'warning' | 'problem', message: string, fix: string];

/** A message that everything is fine, or a fault. Undefined if a check does not apply. */
export type Finding = string | Fault | undefined;

export const diagnosis = (subject: string, finding: string | Fault): Diagnosis =>
  typeof finding === 'string'
    ? { level: 'ok', subject, message: finding }
    : { level: finding[0], subject, message: finding[1], fix: finding[2] };

/** The diagnoses of findings by subject. */
export const diagnoses = (findings: Readonly<Record<string, Finding>>): Diagnosis[] =>
  Object.entries(findings).flatMap(([subject, finding]) => (finding ? [diagnosis(subject, finding)] : []));

/** `1.5 MB`, in powers of ten. */
export const formatBytes = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
};
