import { registerHooks } from 'node:module';

/** Loaded with `--import` by programs that use the SDK as its users do: its names lead to its sources. */
const entries: Readonly<Record<string, string>> = {
  '@roster/client': 'index.ts',
  '@roster/client/runtime': 'runtime.ts',
};

registerHooks({
  resolve: (name, context, next) => {
    const entry = entries[name];
    if (entry === undefined) return next(name, context);
    return { url: new URL(`../../../sdk/src/${entry}`, import.meta.url).href, shortCircuit: true };
  },
});
