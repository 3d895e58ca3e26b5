import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { listPackages } from '../build/release/bundled-packages.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** `npm run dashboard:dev` reloads on changes and proxies API requests to a running service. */
const service = process.env.ROSTER_URL ?? 'http://127.0.0.1:3000';
const passedOn = { target: service, changeOrigin: true, headers: { origin: service } };

/** What a page loads when it is shown, besides what it begins with: one chunk each. */
const parts: Readonly<Record<string, readonly string[]>> = {
  'agents/detail/': ['draft-editor.tsx'],
  'audit-log/list/': ['../../../records/changes/changed-fields.tsx'],
  'campaigns/detail/': ['parts.ts'],
  'contacts/detail/': ['resolve-conflict.tsx', 'parts.ts'],
  'settings/': ['tabs.ts'],
};

const PAGE = /src\/pages\/(.+\/)page\.tsx$/;
const isPackage = (id: string) => /node_modules\/(?!lucide-react|@codemirror|@lezer)/.test(id);
/** Pages that one user visits one after the other, and thus share a chunk. All others set the workspace up. */
const isAboutPeople = (page: string) => /^(agents|audit-log|calls|campaigns|contacts|segments)\//.test(page);
const COMMON_PAGES = 5;

/** The chunk of each module of ours: a request costs more than a few unneeded kilobytes, so a page has four chunks of them. */
const chunks = new Map<string, string>();
const assignChunks: Plugin = {
  name: 'assign-chunks',
  buildEnd() {
    /** What a module imports without a dynamic import, and thus loads. */
    const closureOf = (id: string, found = new Set<string>()): Set<string> => {
      if (found.has(id)) return found;
      found.add(id);
      for (const each of this.getModuleInfo(id)?.importedIds ?? []) closureOf(each, found);
      return found;
    };
    const assign = (id: string, chunk: string): void => {
      if (!isPackage(id) && !chunks.has(id)) chunks.set(id, chunk);
    };
    for (const id of closureOf(`${root}src/main.tsx`)) if (!id.includes('node_modules')) assign(id, 'base');
    /** The pages that need a module; with `part`, only after they are shown. */
    const users = new Map<string, Set<string>>();
    const addUser = (id: string, page: string): void => {
      for (const each of closureOf(id)) users.getOrInsertComputed(each, () => new Set()).add(page);
    };
    for (const id of this.getModuleIds()) {
      const [, page] = PAGE.exec(id) ?? [];
      if (page) addUser(id, page);
    }
    for (const [page, names] of Object.entries(parts))
      for (const name of names) addUser(join(root, `src/pages/${page}${name}`), `${page}part`);
    const laterEntries = [...this.getModuleIds()].filter(
      (id) => !PAGE.test(id) && (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0,
    );
    /** How many dynamic imports load a module. */
    const laterUses = new Map<string, number>();
    for (const each of laterEntries.flatMap((id) => [...closureOf(id)]))
      laterUses.set(each, (laterUses.get(each) ?? 0) + 1);
    for (const [id, of] of users) {
      const pages = [...new Set([...of].map((each) => each.replace(/part$/, '')))];
      const [first = '', second] = of;
      // Modules of one entry alone are in its own file.
      const isPart = second === undefined && first.endsWith('part');
      if (pages.length === 1 && (laterUses.get(id) ?? 0) === (isPart ? 1 : 0) && second === undefined)
        continue;
      // The editor of agents is large.
      else if (pages.length === 1)
        assign(id, isPart && first.startsWith('agents/') ? first : (pages[0] as string));
      else if (pages.length >= COMMON_PAGES) assign(id, 'common');
      // It may import packages, which automatic chunks keep from pages without it.
      else if (/\/src\/(?:ui|app\/charts)\//.test(id)) continue;
      else if (pages.every((each) => each.startsWith('agents/'))) assign(id, 'agents');
      else if (pages.every(isAboutPeople)) assign(id, 'people');
      else assign(id, pages.some(isAboutPeople) ? 'common' : 'setup');
    }
  },
};

/** Modules that nearly every page needs are one chunk. What only some pages or dialogs need is not part of it: menus, popovers and
 *  what positions them, tabs, and fields of forms. A package is listed because one with many parts is imported as a whole. */
const onEveryPage =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack|aria-hidden|@radix-ui[\\/]react-(?!menu|dropdown-menu|popper|arrow|popover|tooltip|collection|roving-focus|tabs|progress)[\w-]+)[\\/]|dashboard[\\/]src[\\/]ui[\\/](?!column-resizer|menu-content|popover-content|tabs|progress|segmented|option-list|inline-edit|suggestions|phone-field|password-input|search-select|choices-for|country-select|time-zone-select|selection-bar)/;

const isOf = (name: string) => (id: string) => chunks.get(id) === name;
const codeSplitting = {
  groups: [
    {
      name: 'base',
      test: (id: string) => onEveryPage.test(id) || isOf('base')(id),
    },
    {
      name: 'session',
      test: /app\/(session-dialog|sign-in-form|switched-dialog)\./,
      includeDependenciesRecursively: false,
    },
    { name: 'charts', test: /src\/app\/charts\/(?!bar-chart)/, includeDependenciesRecursively: false },
    {
      name: 'selects',
      test: /src\/ui\/(?:search-select|country-select|time-zone-select|choices-for|phone-field|password-input)\./,
      includeDependenciesRecursively: false,
    },
    {
      name: 'codemirror',
      test: /node_modules\/(?:@codemirror\/(?!lang-json|merge)|@lezer\/(?!json)|@marijn|style-mod|crelt|w3c-keyname)/,
    },
    { name: 'tabs', test: /src\/ui\/tabs\.|@radix-ui\/react-(?:tabs|roving-focus|collection|direction)\// },
    {
      debugName: 'assigned',
      name: (id: string) => chunks.get(id)?.replace(/\/$/, '').replaceAll('/', '-'),
      includeDependenciesRecursively: false,
    },
  ],
};

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), assignChunks, listPackages('.vite/packages.json')],
  server: { proxy: { '/dashboard/api': passedOn, '/v1': passedOn, '/healthz': passedOn } },
  build: {
    target: 'baseline-widely-available',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // dashboard/sizes.ts enforces a budget.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting } },
  },
});
