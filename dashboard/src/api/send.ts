import { t } from '../lib/i18n.ts';
import { ApiError } from './api-error.ts';
import { connection } from './connection.ts';

export const connectionLost = () =>
  new ApiError(
    'CONNECTION_LOST',
    t("Can't reach Roster. Your changes are still on this page. Try again in a moment."),
  );

export const send = async (address: string, init: RequestInit): Promise<Response> => {
  try {
    const response = await fetch(address, { ...init, credentials: 'same-origin', cache: 'no-store' });
    connection.markReachable();
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    await connection.whenNotLeaving();
    connection.markLost();
    throw connectionLost();
  }
};
