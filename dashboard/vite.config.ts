import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run dashboard:dev` shows changes at once and passes what the pages ask on to a running service. */
const service = process.env.ROSTER_URL ?? 'http://127.0.0.1:3000';
const passedOn = { target: service, changeOrigin: true, headers: { origin: service } };

/** What nearly every page needs is one file; what only some need is loaded by them. */
const everyPage =
  /node_modules[\\/](react|react-dom|scheduler|lucide-react|radix-ui|@radix-ui|@floating-ui|@tanstack|aria-hidden)[\\/]|dashboard[\\/]src[\\/](api|ui)[\\/]/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss()],
  server: { proxy: { '/dashboard/api': passedOn, '/healthz': passedOn } },
  build: {
    target: 'baseline-widely-available',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // dashboard/sizes.ts says what is too much.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'base', test: everyPage }] } },
    },
  },
});
