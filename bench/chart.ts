import { type Figure, type FigureName, targetOf } from './targets.ts';
import { valueText } from './texts.ts';

const [WIDTH, LABELS, RIGHT] = [820, 330, 60];
const [TOP, BAR, GAP, BOTTOM] = [56, 16, 14, 40];

/** Colors that are safe for color blindness, on a light and a dark page. */
const STYLE = `
  .page { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif } .title { font-weight: 600 }
  .value { font-size: 12px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px } .Roster { fill: #0969da } .plain { fill: #8c959f } .target { stroke: #bc4c00; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } text { fill: #e6edf3 } .value { stroke: #0d1117 } .Roster { fill: #58a6ff } .plain { fill: #6e7681 } .target { stroke: #ffa657 }
  }`;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const rounded = (value: number) => Math.round(value * 10) / 10;

const boundOf = (name: FigureName) => targetOf(name).atLeast ?? targetOf(name).atMost ?? 0;

/** A group of bars for each figure, and a line at its target. */
const groupOf = (
  { name, bars = {} }: Figure,
  y: number,
  { scale, most }: { scale: number; most: number },
) => {
  const kinds = Object.entries(bars);
  const height = kinds.length * BAR;
  const label = `<text x="${LABELS - 10}" y="${y + height / 2 + 4}" text-anchor="end">${escaped(targetOf(name).title)}</text>`;
  const at = rounded(LABELS + boundOf(name) * scale);
  const target = `<line class="target" x1="${at}" x2="${at}" y1="${y - 3}" y2="${y + height + 3}"/>`;
  const drawn = kinds.map(([kind, value], index) => {
    // Bars are cut off at the edge of the chart.
    const width = rounded(Math.min(value, most) * scale);
    const top = y + index * BAR;
    return {
      bar: `<rect class="${kind}" x="${LABELS}" y="${top}" width="${width}" height="${BAR}" rx="2"/>`,
      text: `<text class="value" x="${rounded(LABELS + width + 6)}" y="${top + BAR - 4}">${valueText(name, value)}</text>`,
    };
  });
  const svg = [label, ...drawn.map(({ bar }) => bar), target, ...drawn.map(({ text }) => text)].join('\n  ');
  return { svg, height };
};

/** The legend, below the bars. */
const legendOf = (kinds: readonly string[], y: number) => {
  const entries = kinds.map(
    (kind, at) => `<rect class="${kind}" x="${LABELS + at * 90}" y="${y}" width="12" height="12" rx="2"/>
  <text class="value" x="${LABELS + at * 90 + 18}" y="${y + 10}">${kind}</text>`,
  );
  const x = LABELS + kinds.length * 90;
  const line = `<line class="target" x1="${x + 6}" x2="${x + 6}" y1="${y - 1}" y2="${y + 13}"/>`;
  return [...entries, line, `<text class="value" x="${x + 18}" y="${y + 10}">target</text>`].join('\n  ');
};

/** A horizontal bar chart of figures, as SVG. */
export const chartOf = (title: string, figures: readonly Figure[]): string => {
  const kinds = [...new Set(figures.flatMap(({ bars = {} }) => Object.keys(bars)))];
  const bounds = figures.map(({ name }) => boundOf(name));
  const values = figures.flatMap(({ bars = {} }) => Object.values(bars));
  const most = Math.min(Math.max(1, ...bounds, ...values), Math.max(1, ...bounds) * 3);
  const scale = (WIDTH - LABELS - RIGHT) / most;
  let y = TOP;
  const groups = figures.map((figure) => {
    const { svg, height } = groupOf(figure, y, { scale, most });
    y += height + GAP;
    return svg;
  });
  const height = y + BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
  <title>${escaped(title)}</title>
  <style>${STYLE}</style>
  <rect class="page" width="${WIDTH}" height="${height}" rx="8"/>
  <text class="title" x="20" y="30">${escaped(title)}</text>
  ${groups.join('\n  ')}
  ${legendOf(kinds, y + 8)}
</svg>
`;
};
