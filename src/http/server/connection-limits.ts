/** Files that are no connections: the database with its log, the lines to a server, threads, standard streams. */
const OTHER_FILES = 256;
/** More would cost more memory than a single process should need. */
const MAX_CONNECTIONS = 16_384;

/** How many files the system lets this process have open. */
const fileLimit = (): number => {
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const files = Number(userLimits?.open_files?.soft);
  return files > 0 ? files : Number.POSITIVE_INFINITY;
};

/** How many connections are served, and how many more are accepted only to answer 503. */
export const connectionLimits = (files = fileLimit()): { served: number; rejected: number } => {
  const room = Math.max(Math.floor(files / 2), files - OTHER_FILES);
  const served = Math.min(MAX_CONNECTIONS, Math.floor((room * 15) / 16));
  return { served, rejected: Math.min(room - served, 1_024) };
};
