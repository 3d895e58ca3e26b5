import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/query.ts';
import type { CallSettings } from '../../api/types.gen.ts';

/** The dispositions, the rules and the retention of transcripts. */
export const callSettingsQuery = apiQuery('/call-settings');

const STALE_MS = 60_000;
const dispositionsOf = ({ data }: { readonly data: CallSettings }) => data.dispositions;

/** The dispositions of the workspace in their order; undefined while they load. */
export const useDispositions = () =>
  useQuery({ ...callSettingsQuery, staleTime: STALE_MS, select: dispositionsOf }).data;

/** `follow_up` as `Follow up`, for keys without a label. */
export const keyText = (key: string): string => {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The label of a disposition that is in the settings. */
export const labelOf = (dispositions: CallSettings['dispositions'] | undefined, key: string) =>
  dispositions?.find((each) => each.key === key)?.label;

/** The same; one that was removed from the settings has the text of its key. */
export const dispositionText = (
  dispositions: CallSettings['dispositions'] | undefined,
  key: string,
): string => labelOf(dispositions, key) ?? keyText(key);
