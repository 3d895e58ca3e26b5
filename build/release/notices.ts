import type { BundledPackage } from './bundled-packages.ts';

/** The licenses of the packages that a release contains. */
export const licensesText = (packages: readonly BundledPackage[]): string =>
  `${[
    'Roster contains code of the following packages.',
    ...packages.map(({ name, version, license, texts }) =>
      [`${name} ${version} (${license})`, ...texts].join('\n\n'),
    ),
  ].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;

const componentOf = ({ name, version, license }: BundledPackage) => ({
  type: 'library',
  'bom-ref': `pkg:npm/${encodeURIComponent(name).replace('%2F', '/')}@${version}`,
  name,
  version,
  // An SPDX expression such as `(MIT OR Apache-2.0)` is allowed here as well as a single identifier.
  licenses: [{ expression: license }],
  purl: `pkg:npm/${encodeURIComponent(name).replace('%2F', '/')}@${version}`,
});

/** A CycloneDX 1.6 bill of materials. It has no serial number and the time of the commit, so that it is reproducible. */
export const sbomOf = (version: string, time: Date, packages: readonly BundledPackage[]): string => {
  const root = `pkg:npm/roster@${version}`;
  const components = packages.map(componentOf);
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: time.toISOString(),
        component: {
          type: 'application',
          'bom-ref': root,
          name: 'roster',
          version,
          licenses: [{ expression: 'MIT' }],
          purl: root,
        },
      },
      components,
      dependencies: [{ ref: root, dependsOn: components.map((each) => each['bom-ref']) }],
    },
    undefined,
    2,
  )}\n`;
};
