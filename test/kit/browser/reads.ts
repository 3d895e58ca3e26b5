import type { Page, Response } from 'playwright-core';

const READS = '/dashboard/api/reads';

/** The requests of all tabs to a path, as they begin, also those that share a request with others. */
export const requestsTo = (page: Page, path: string): string[] => {
  const urls: string[] = [];
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    const all: string[] = url.pathname === READS ? request.postDataJSON().paths : [request.url()];
    for (const each of all) if (new URL(each, url).pathname === path) urls.push(each);
  });
  return urls;
};

/** Lets the page send each read as a request of its own, for tests that intercept one. It does so with a service that cannot answer
 *  several. */
export const sendReadsAlone = (page: Page): Promise<unknown> =>
  page.route(`**${READS}`, (route) => route.fulfill({ status: 404, json: {} }));

/** Resolves with the response to a read, which may share its request with others. */
export const waitForRead = (page: Page, path: RegExp): Promise<Response> =>
  page.waitForResponse((response) => path.test(`${response.url()} ${response.request().postData()}`));
