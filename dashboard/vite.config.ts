import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { listPackages } from '../build/release/bundled-packages.ts';

/** `npm run dashboard:dev` reloads on changes and proxies API requests to a running service. */
const service = process.env.ROSTER_URL ?? 'http://127.0.0.1:3000';
const passedOn = { target: service, changeOrigin: true, headers: { origin: service } };

/** Modules that nearly every page needs are one chunk, with the parameters of all pages, which the router reads. What only some pages
 *  or dialogs need is not part of it: menus, popovers and what positions them, tabs, and fields of forms. */
const everyPage =
  /node_modules[\\/](react|react-dom|scheduler|@tanstack|aria-hidden|@radix-ui[\\/]react-(?!menu|dropdown-menu|popper|arrow|popover|tooltip|collection|roving-focus|tabs|progress)[\w-]+)[\\/]|dashboard[\\/]src[\\/](.*[\\/]url-params\.|api[\\/](?!placeholders|time-zone)|ui[\\/](?!menu-content|popover-content|tabs|progress|segmented|option-list|inline-edit|suggestions|phone-field|password-input|country-select|time-zone-select|selection-bar))/;
/** Icons that several chunks use. */
const icons = /node_modules[\\/]lucide-react[\\/]/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), listPackages('.vite/packages.json')],
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
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: everyPage },
            { name: 'icons', test: icons, minShareCount: 4 },
          ],
        },
      },
    },
  },
});
