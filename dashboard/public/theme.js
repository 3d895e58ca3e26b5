/* Runs before the first paint, so that a dark page does not flash white and rows do not change their height. src/app/theme.ts switches
   the theme, src/app/column-menu.tsx the density. */
(() => {
  let kept = null;
  let density = null;
  try {
    kept = localStorage.getItem('roster-theme');
    density = localStorage.getItem('roster-density');
  } catch {}
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.classList.toggle('dark', dark);
  if (density === 'compact') document.documentElement.dataset.density = density;
})();
