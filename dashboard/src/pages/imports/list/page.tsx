import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { loadChunk } from '../../../api/load-chunk.ts';
import { apiQuery } from '../../../api/query.ts';
import type { ImportBeginning } from '../../../api/types.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { type Choices, type FormatChoice, proposedChoices, proposedCrmId, type Rules } from '../mapping.ts';
import { DropZone } from './file-picker.tsx';
import { ImportHistory } from './history.tsx';
import { rememberedFile } from './remembered-file.ts';
import { detectFormat } from './upload.ts';

const Prepare = lazy(() => loadChunk(() => import('./prepare.tsx')));

const route = getRouteApi('/app/import');

const namesOf = (beginning: ImportBeginning | undefined): string =>
  JSON.stringify(beginning?.columns.map(({ name }) => name));

const noChoices: Choices = {};
const firstRules: Omit<Rules, 'country'> = {
  on_existing: 'fill',
  tags: 'merge',
  on_invalid: 'omit_field',
  on_invalid_email: null,
  on_duplicate: 'first',
  crm: '',
  campaign_id: '',
  legacy: false,
};

interface Detection {
  readonly files: readonly File[];
  readonly format: FormatChoice;
  /** The choices belong to these columns. */
  readonly keepChoices?: boolean;
}

/** Uploads a file for a preview, and lists previous imports. */
export const ImportsPage = () => {
  const { page = 1, again } = route.useSearch();
  const navigate = route.useNavigate();
  const settings = useQuery(apiQuery('/settings')).data?.data;
  const [file, setFile] = useState<File>();
  const [beginning, setBeginning] = useState<ImportBeginning>();
  const [lastColumns, setLastColumns] = useState('');
  const [format, setFormat] = useState<FormatChoice>({});
  const [choices, setChoices] = useState(noChoices);
  const [rules, setRules] = useState<Partial<Rules>>(firstRules);

  const detect = useMutation({
    mutationFn: ({ files, format }: Detection) => {
      const [only, ...more] = files;
      if (only && more.length === 0) return detectFormat(only, format);
      throw new ApiError('VALIDATION_ERROR', t('Import one file at a time.'));
    },
    onError: () => setBeginning(undefined),
    onSuccess: (found, { files: [chosen], format: chosenFormat, keepChoices }) => {
      // A corrected file has the same columns, so the mapping still applies.
      if (namesOf(found) !== lastColumns && !keepChoices) {
        setChoices(proposedChoices(found.columns));
        setRules((now) => ({ ...now, crm: proposedCrmId(found.columns)?.crm ?? '' }));
      }
      setLastColumns(namesOf(found));
      setFile(chosen);
      setFormat(chosenFormat);
      setBeginning(found);
    },
  });
  const detectAgain = detect.mutate;
  useEffect(() => {
    const remembered = rememberedFile(again);
    if (!remembered) return;
    const { file, format, choices, rules } = remembered;
    setChoices(choices);
    setRules(rules);
    detectAgain({ files: [file], format, keepChoices: true });
  }, [again, detectAgain]);
  const onFiles = (files: readonly File[]) => detect.mutate({ files, format: {} });
  return (
    <Page
      title={t('Imports')}
      description={t(
        'Import contacts from a CSV or Excel file. Preview, then apply. You can undo for 30 days.',
      )}
    >
      {file && beginning ? (
        <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
          <Prepare
            file={file}
            beginning={beginning}
            draft={{
              choices,
              rules: { ...firstRules, country: settings?.default_country ?? '', ...rules },
            }}
            noCountryLabel={settings?.default_country === null ? t('No country') : undefined}
            replaces={again}
            onDraft={(change) => {
              if (change.choices) setChoices(change.choices);
              if (change.rules) setRules(change.rules);
            }}
            format={format}
            isDetecting={detect.isPending}
            onFormat={(next) => detect.mutate({ files: [file], format: next })}
            onFiles={onFiles}
            onBack={() => {
              setBeginning(undefined);
              setLastColumns('');
              setChoices(noChoices);
              if (again) void navigate({ search: {}, ignoreBlocker: true });
            }}
          />
        </Suspense>
      ) : (
        <>
          {again && !detect.isPending && (
            <div className="mb-4">
              <Notice>
                {t(
                  'Choose the file again to read it in another way. The new preview replaces the earlier one.',
                )}
              </Notice>
            </div>
          )}
          <DropZone
            name={detect.variables?.files[0]?.name}
            error={detect.error}
            busy={detect.isPending}
            onFiles={onFiles}
          />
          <ImportHistory
            page={page}
            onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
          />
        </>
      )}
    </Page>
  );
};
