import FilterBuilder from './builder.tsx';
import { MatchCount } from './match-count.tsx';
import FilterSentence from './sentence-text.tsx';
import type { FilterTree } from './tree.ts';

/** The builder with the filter in words and the number of contacts that match. */
export const FilterField = (props: {
  readonly value: FilterTree | undefined;
  readonly onChange: (tree: FilterTree | undefined) => void;
}) => (
  <div className="flex flex-col gap-3">
    <FilterBuilder {...props} />
    <div className="rounded-lg bg-sunken px-3.5 py-2.5">
      <p className="text-sm">
        <FilterSentence tree={props.value} />
      </p>
      <MatchCount tree={props.value} />
    </div>
  </div>
);
