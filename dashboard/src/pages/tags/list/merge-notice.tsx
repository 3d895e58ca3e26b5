import type { TagCount } from '../../../api/types.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';

/** What happens if a tag is merged into another one. */
export const MergeNotice = ({
  tag,
  count,
  into,
}: {
  readonly tag: string;
  /** How many contacts have the tag that will be deleted. */
  readonly count: number;
  readonly into: TagCount;
}) => (
  <Notice tone="warn">
    <p>
      {plural(into.count, '“{to}” already exists on # contact.', '“{to}” already exists on # contacts.', {
        to: into.tag,
      })}{' '}
      {plural(
        count,
        '# contact with “{tag}” will get this tag instead, and “{tag}” will be deleted.',
        '# contacts with “{tag}” will get this tag instead, and “{tag}” will be deleted.',
        { tag },
      )}{' '}
      {t("This can't be undone.")}
    </p>
  </Notice>
);
