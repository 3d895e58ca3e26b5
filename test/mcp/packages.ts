import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Not development dependencies: together they are 200 packages, one with a native addon, for a check that runs before a
 *  release. npm downloads them on first use. */
const VERSIONS = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
} as const;

/** Runs a program of a package. A failure of the program is not an error: its output says what failed. */
export const runPackage = async (
  name: keyof typeof VERSIONS,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> => {
  const command = ['exec', '--yes', `--package=${name}@${VERSIONS[name]}`, '--', ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)('npm', command, {
      env: { ...process.env, npm_config_update_notifier: 'false', ...env },
      maxBuffer: 64 * 1_048_576,
    });
    return { code: 0, output: stdout, errors: stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string };
    return { code, output: stdout, errors: stderr };
  }
};
