import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { listPackages } from '../build/release/bundled-packages.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** `npm run dashboard:dev` reloads on changes and proxies API requests to a running service. */
const service = process.env.ROSTER_URL ?? 'http://127.0.0.1:3000';
const passedOn = { target: service, changeOrigin: true, headers: { origin: service } };

/** What the entry imports without a dynamic import, and thus every page loads. */
const ofEntry = new Set<string>();
const findModulesOfEntry: Plugin = {
  name: 'find-modules-of-entry',
  buildEnd() {
    const add = (id: string): void => {
      if (ofEntry.has(id)) return;
      ofEntry.add(id);
      for (const each of this.getModuleInfo(id)?.importedIds ?? []) add(each);
    };
    add(`${root}src/main.tsx`);
  },
};

/** Modules that nearly every page needs are one chunk. What only some pages or dialogs need is not part of it: menus, popovers and
 *  what positions them, tabs, and fields of forms. A package is listed because one with many parts is imported as a whole. */
const onEveryPage =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack|aria-hidden|@radix-ui[\\/]react-(?!menu|dropdown-menu|popper|arrow|popover|tooltip|collection|roving-focus|tabs|progress)[\w-]+)[\\/]|dashboard[\\/]src[\\/]ui[\\/](?!column-resizer|menu-content|popover-content|tabs|progress|segmented|option-list|inline-edit|suggestions|phone-field|password-input|search-select|choices-for|country-select|time-zone-select|selection-bar)/;

/** A request costs more than a few hundred unneeded bytes, so small modules of many pages and dialogs share a chunk. */
const codeSplitting = {
  groups: [
    {
      name: 'base',
      test: (id: string) => onEveryPage.test(id) || (ofEntry.has(id) && !id.includes('node_modules')),
    },
    { name: 'icons', test: /node_modules[\\/]lucide-react[\\/]/, minShareCount: 3 },
    {
      name: 'session',
      test: /app[\\/](session-dialog|sign-in-form|switched-dialog)\.|ui[\\/]password-input\./,
    },
    { name: 'common', minShareCount: 12, maxModuleSize: 2_500 },
  ],
};

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), findModulesOfEntry, listPackages('.vite/packages.json')],
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
