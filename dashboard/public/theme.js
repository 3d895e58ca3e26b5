/* Runs before the first paint, so that a dark page does not flash white. The switch is in src/app/theme.ts. */
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('roster-theme');
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
