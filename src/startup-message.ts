import type { Config } from './config.ts';
import type { Service } from './service.ts';

const place = ({ database }: Config) =>
  database.engine === 'sqlite'
    ? database.path
    : database.url.replace(/^([^/]*\/\/).*@/, '$1').replace(/\?.*/, '');

/** What a start says to the person who typed it. The secrets of a first start are shown here and nowhere else. */
export const startupMessage = ({ url, setUp }: Pick<Service, 'url' | 'setUp'>, config: Config): string => {
  const lines = [
    '',
    'Roster is ready.',
    '',
    `  Dashboard  ${url}`,
    `  API        ${url}/v1`,
    `  Reference  ${url}/docs`,
    `  Data       ${place(config)}`,
  ];
  if (setUp.made) {
    lines.push('', 'This is the first start: the workspace "default" was made.');
    if (setUp.key || setUp.signIn) lines.push('Keep what follows; it is shown only now.', '');
    if (setUp.key) lines.push(`  API key    ${setUp.key}`);
    if (setUp.signIn) {
      lines.push(`  Sign-in    ${url}${setUp.signIn.url_path}`);
      lines.push('', 'The sign-in opens the dashboard once, within 24 hours, and asks you for a password.');
      lines.push(`Your email there is ${setUp.signIn.email}.`);
    }
  }
  if (setUp.key) {
    lines.push(
      '',
      'Add a first contact:',
      '',
      `  curl ${url}/v1/contacts \\`,
      `    -H 'Authorization: Bearer ${setUp.key}' \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"phone_number": "+14155550100", "first_name": "Ada"}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
};
