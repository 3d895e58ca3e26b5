/** A local part without quotes and without a dot at an end or next to another, and a domain of at least two labels, in any
 *  script. The published schemas contain it, so it has only what every engine of regular expressions knows. */
const EXCLUDED = String.raw`\s\x00-\x1f\x7f-\x9f@"\(\),:;<>\[\]\\.`;
const ATOM = `[^${EXCLUDED}]`;
const LABEL_START = String.raw`[^${EXCLUDED}\-]`;
export const EMAIL = new RegExp(
  String.raw`^${ATOM}+(\.${ATOM}+)*@(${LABEL_START}(-*${LABEL_START})*\.)+${LABEL_START}(-*${LABEL_START})+$`,
  'u',
);

export const emailProblem = (email: string): string | undefined =>
  EMAIL.test(email) ? undefined : 'must be an email address, for example ada@example.com.';
