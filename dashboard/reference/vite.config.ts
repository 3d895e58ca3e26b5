import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { listPackages } from '../../build/release/bundled-packages.ts';
import { describeContents, STANDALONE } from './standalone.ts';

/** The API reference at `/docs`. Its scripts are built apart from those of the dashboard, which share nothing with them. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [listPackages('.vite/reference-packages.json', describeContents())],
  resolve: { alias: { 'scalar-standalone': STANDALONE } },
  build: {
    target: 'baseline-widely-available',
    emptyOutDir: false,
    assetsDir: 'assets/reference',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: fileURLToPath(new URL('reference.html', import.meta.url)) },
  },
});
