/* Runs before the first paint, so that a dark page does not flash white. src/app/theme.ts switches the theme. */
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('roster-theme');
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
})();
