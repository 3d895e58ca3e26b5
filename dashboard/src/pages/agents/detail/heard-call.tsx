import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { apiQuery } from '../../../api/query.ts';
import { exactTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { contactLabel } from '../../../records/calls/labels.ts';
import { CallResult } from '../../../records/calls/results.tsx';
import { CallTags } from '../../../records/calls/tags.tsx';
import { Transcript } from '../../../records/calls/transcript.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Section } from '../../../ui/page.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { versionNumber } from './draft.ts';

const Said = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text && (
    <section aria-label={title} className="space-y-1">
      <h3 className="text-muted">{title}</h3>
      <p dir="auto" className="leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </section>
  );

/** A call beside the editor, for improving what its version said. */
const HeardCall = ({
  id,
  shown,
  onCompare,
  onClose,
}: {
  readonly id: string;
  /** The label of the version that the editor shows. */
  readonly shown: string | undefined;
  readonly onCompare: (pair: string) => void;
  readonly onClose: () => void;
}) => {
  const query = useQuery(apiQuery('/calls/{id}', { params: { id } }));
  const call = query.data?.data;
  const heard = call?.version_label;
  const isOther = shown !== undefined && heard && heard !== shown;
  return (
    <Section
      className="lg:sticky lg:top-4"
      title={call ? t('Call with {contact}', { contact: contactLabel(call) }) : t('Call')}
      description={
        call &&
        (heard
          ? t('{time}, with {label}', { time: exactTime(call.started_at), label: heard })
          : exactTime(call.started_at))
      }
      actions={
        <>
          <Button asChild size="small">
            <Link to="/calls" search={{ call: id }}>
              {t('Open call')}
            </Link>
          </Button>
          <IconButton size="small" label={t('Close call')} icon={<X aria-hidden />} onClick={onClose} />
        </>
      }
    >
      {query.isError && !call ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : !call ? (
        <Skeleton className="h-60 w-full" />
      ) : (
        <div className="space-y-3 text-sm">
          {isOther && (
            <Notice
              action={
                <Button
                  size="small"
                  onClick={() =>
                    onCompare(
                      versionNumber(heard) < versionNumber(shown)
                        ? `${heard}..${shown}`
                        : `${shown}..${heard}`,
                    )
                  }
                >
                  {t('Compare')}
                </Button>
              }
            >
              {t('{heard} spoke. The editor shows {shown}.', { heard, shown })}
            </Notice>
          )}
          <CallResult call={call} />
          <CallTags tags={call.tags} />
          <Said title={t('Note')} text={call.note} />
          <Said title={t('Summary')} text={call.summary} />
          <Said title={t('Message')} text={call.text} />
          {call.type === 'call' && <Transcript call={id} isTall />}
        </div>
      )}
    </Section>
  );
};

export default HeardCall;
