import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** The footer of an edit dialog after someone else changed the record. */
export const ConflictButtons = ({
  busy,
  onUseTheirs,
}: {
  readonly busy: boolean;
  readonly onUseTheirs: () => void;
}) => (
  <>
    <Button onClick={onUseTheirs}>Use theirs</Button>
    <Button type="submit" variant="primary" busy={busy}>
      Save mine
    </Button>
  </>
);

/** Both versions of a record that someone else changed during editing. */
export const ConflictComparison = ({
  kind,
  theirs,
  yours,
}: {
  readonly kind: 'campaign' | 'channel';
  readonly theirs: ReactNode;
  readonly yours: ReactNode;
}) => (
  <>
    <Notice tone="warn">
      Someone else changed this {kind} while you were editing. Your changes haven't been saved.
    </Notice>
    <div className="grid gap-3 sm:grid-cols-2">
      {(
        [
          ['Their version (saved)', theirs],
          ['Your version (not saved)', yours],
        ] as const
      ).map(([title, version]) => (
        <section key={title} aria-label={title} className="rounded-xl border border-line p-3 text-sm">
          <h3 className="mb-1 font-medium">{title}</h3>
          {version}
        </section>
      ))}
    </div>
  </>
);
