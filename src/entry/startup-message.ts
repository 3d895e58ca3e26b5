import type { Config } from '../config/config.ts';
import type { Service } from '../wiring/service.ts';

const databaseLocation = ({ database }: Pick<Config, 'database'>) =>
  database.engine === 'sqlite'
    ? database.path
    : database.url.replace(/^([^/]*\/\/).*@/, '$1').replace(/\?.*/, '');

/** The same as one line of the log, for an output that is no terminal. Every log level includes it. */
export const startupLine = (
  { url, setup }: Pick<Service, 'url' | 'setup'>,
  config: Pick<Config, 'database'>,
): string =>
  `${JSON.stringify({
    time: new Date().toISOString(),
    level: 'info',
    message: 'ready',
    url,
    data: databaseLocation(config),
    ...(setup.isFirstStart && {
      first_start: true,
      api_key: setup.key,
      sign_in: setup.signIn && `${url}${setup.signIn.url_path}`,
      sign_in_email: setup.signIn?.email,
    }),
  })}\n`;

/** The message on a terminal after a start. The secrets of a first start are shown only then. */
export const startupMessage = (
  { url, setup }: Pick<Service, 'url' | 'setup'>,
  config: Pick<Config, 'database'>,
): string => {
  const lines = [
    '',
    'Roster is ready.',
    '',
    `  Dashboard  ${url}`,
    `  API        ${url}/v1`,
    `  Reference  ${url}/docs`,
    `  Data       ${databaseLocation(config)}`,
  ];
  if (setup.isFirstStart) {
    lines.push('', 'First start: the workspace "default" was created.');
    if (setup.key || setup.signIn) lines.push('Store the following now: it is not shown again.', '');
    if (setup.key) lines.push(`  API key    ${setup.key}`);
    if (setup.signIn) {
      lines.push(`  Sign-in    ${url}${setup.signIn.url_path}`);
      lines.push('', 'This sign-in link works once and expires in 24 hours. It asks you to set a password.');
      lines.push(`You sign in as ${setup.signIn.email}.`);
    }
  }
  if (setup.key) {
    lines.push(
      '',
      'Create your first contact:',
      '',
      `  curl ${url}/v1/contacts \\`,
      `    -H 'Authorization: Bearer ${setup.key}' \\`,
      `    -H 'Content-Type: application/json' \\`,
      `    -d '{"phone_number": "+14155550100", "first_name": "Ada"}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
};
