import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Filter } from 'lucide-react';
import type { Campaign } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { FilterSentence } from '../../../records/contacts/filter/lazy.tsx';
import { filterOf, segmentsQuery } from '../../../records/contacts/segments.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { modeLabels } from '../segment-audience.tsx';

/** The segment whose contacts a campaign enrolls. */
const Audience = ({ campaign, onEdit }: { readonly campaign: Campaign; readonly onEdit: () => void }) => {
  const { audience } = campaign;
  const isOpen = campaign.status !== 'finished';
  const segment = useQuery(segmentsQuery).data?.data.find(({ id }) => id === audience?.segment_id);
  if (!audience && !isOpen) return null;
  return (
    <section
      aria-label={t('Audience')}
      className="card mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3 text-sm sm:px-5"
    >
      {audience ? (
        <div className="min-w-0 flex-1 basis-64">
          <p className="flex flex-wrap items-center gap-2">
            <Link
              to="/contacts"
              search={{ segment: audience.segment_id }}
              className="font-medium underline wrap-anywhere"
            >
              <bdi>{segment?.name ?? t('Segment')}</bdi>
            </Link>
            <Badge tone={audience.mode === 'live' ? 'good' : 'plain'} dot={audience.mode === 'live'}>
              {modeLabels[audience.mode]}
            </Badge>
          </p>
          {segment && (
            <p className="text-muted">
              <FilterSentence tree={filterOf(segment)} />
            </p>
          )}
        </div>
      ) : (
        <p className="flex-1 text-muted">
          {t('No audience: enroll contacts yourself, or choose a segment.')}
        </p>
      )}
      {isOpen && (
        <Button size="small" onClick={onEdit}>
          <Filter aria-hidden />
          {audience ? t('Edit audience') : t('Choose segment')}
        </Button>
      )}
    </section>
  );
};

export default Audience;
