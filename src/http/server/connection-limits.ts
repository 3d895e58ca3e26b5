/** File descriptors for other uses: the database and its log, connections to a server, threads, standard streams. */
const OTHER_FILES = 256;
/** More connections would take too much memory. */
const MAX_CONNECTIONS = 16_384;

/** The limit on open files of this process. */
export const fileLimit = (): number => {
  const report = Object.assign(process.report, { excludeNetwork: true }).getReport();
  const { userLimits } = report as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const files = Number(userLimits?.open_files?.soft);
  return files > 0 ? files : Number.POSITIVE_INFINITY;
};

/** The number of connections that each of the serving threads serves, and of additional connections that it accepts only to
 *  respond 503. */
export const connectionLimits = (threads: number, files = fileLimit()) => {
  const room = Math.max(Math.floor(files / 2), files - OTHER_FILES);
  const served = Math.min(MAX_CONNECTIONS, Math.floor((room * 15) / 16));
  const rejected = Math.min(room - served, 1_024);
  return { served: Math.floor(served / threads), rejected: Math.floor(rejected / threads) };
};
