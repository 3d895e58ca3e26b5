import { routeTables } from '../../../src/wiring/routes.ts';

/** The operations that only the dashboard has, as patterns of `GET /contacts`. */
const own = [
  ...routeTables({} as never).dashboard.map(
    ({ method, path }) =>
      new RegExp(`^${method} ${path.replace('/dashboard/api', '').replace(/:\w+/g, '[^/]+')}$`),
  ),
  // Also for methods that it does not have.
  /^[A-Z]+ \/session$/,
];

/** The address of an operation for signed-in users: under `/dashboard/api` if only the dashboard has it, otherwise under `/v1`. */
export const userPath = (method: string, path: string): string => {
  const name = `${method === 'HEAD' ? 'GET' : method} ${path.split('?')[0]}`;
  return `${own.some((pattern) => pattern.test(name)) ? '/dashboard/api' : '/v1'}${path}`;
};
