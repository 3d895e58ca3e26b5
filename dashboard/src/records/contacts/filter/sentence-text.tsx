import { useTimeZone } from '../../../app/time-zone.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { useAttributes, useRecordNames } from './options.ts';
import { sentenceOf } from './sentence.ts';
import type { FilterTree } from './tree.ts';

/** A filter in words. */
const FilterSentence = ({ tree }: { readonly tree: FilterTree | undefined }) => {
  const attributes = useAttributes();
  const nameOf = useRecordNames(tree);
  const zone = useTimeZone();
  if (!attributes) return <Skeleton className="h-4 w-56" />;
  return (
    <span dir="auto" className="wrap-anywhere">
      {sentenceOf(tree, { attributes, nameOf, zone })}
    </span>
  );
};

export default FilterSentence;
