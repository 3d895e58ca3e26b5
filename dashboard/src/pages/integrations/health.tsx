import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { IntegrationError } from '../../api/types.gen.ts';
import { numberText, t } from '../../lib/i18n.ts';
import { rich } from '../../ui/rich.tsx';
import { Time } from '../../ui/time.tsx';

const titles: Record<string, string> = {
  VALIDATION_ERROR: t('Invalid request'),
  UNAUTHORIZED: t('Wrong secret'),
  CONFLICT: t('Conflicting contact'),
  PAYLOAD_TOO_LARGE: t('Request too large'),
  UNSUPPORTED_MEDIA_TYPE: t('Not sent as JSON'),
  RATE_LIMITED: t('Too many requests'),
  UNAVAILABLE: t('Roster was overloaded'),
};

export const errorTitle = ({ code }: Pick<IntegrationError, 'code'>): string => titles[code] ?? t('Failed');

const remedyOf = ({ code, fields }: IntegrationError): string | undefined => {
  const known = fields.filter((field) => field !== 'other');
  if (code === 'UNAUTHORIZED') return t('The request did not have the secret of this integration.');
  if (known.length > 0) return t('Check these fields: {fields}.', { fields: known.join(', ') });
  if (fields.length > 0) return t('The request has a field that Roster does not know.');
  if (code === 'VALIDATION_ERROR') return t('The body is not a JSON object.');
  return undefined;
};

/** The last delivery of an integration and its last errors. */
export const Health = ({ id }: { readonly id: string }) => {
  const query = useQuery(apiQuery('/integrations/health'));
  const health = query.data?.data.find((each) => each.id === id);
  if (!health) return null;
  return (
    <section aria-labelledby="integration-health" className="text-sm">
      <h3 id="integration-health" className="mb-1 font-semibold">
        {t('Deliveries')}
      </h3>
      <p className="text-muted">
        {health.last_delivery_at
          ? rich('Last contact received {time}.', { time: <Time at={health.last_delivery_at} /> })
          : t('No contact received yet.')}
      </p>
      {health.errors.length > 0 && (
        <>
          <h4 className="mt-3 mb-1 font-medium">{t('Last errors')}</h4>
          <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {health.errors.map((error) => (
              <li key={`${error.code} ${error.fields.join()}`} className="flex flex-wrap gap-x-3 px-3 py-2">
                <span className="min-w-0 flex-1 basis-48">
                  <span className="font-medium">{errorTitle(error)}</span>{' '}
                  <span className="text-muted">
                    ({error.status}
                    {error.count > 1 && `, ${numberText(error.count)}×`})
                  </span>
                  {remedyOf(error) && (
                    <span className="block text-[0.8125rem] text-muted">{remedyOf(error)}</span>
                  )}
                </span>
                <Time at={error.at} className="shrink-0 text-[0.8125rem] text-muted" />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
