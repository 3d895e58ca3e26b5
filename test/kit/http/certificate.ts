import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** The DER encoding of a certificate: a tag, a length, a value. */
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const DAY_MS = 86_400_000;

/** A self-signed certificate for 127.0.0.1 and the named hosts, and its key, both in PEM format. */
export const makeCertificate = (...hosts: readonly string[]): { cert: string; key: string } => {
  const { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync(
    'ec',
    {
      namedCurve: 'P-256',
    },
  );
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('Roster test')))));
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const names = hosts.map((host) => der(0x82, Buffer.from(host)));
  const extension = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(address, ...names)));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // X.509 version 3
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(new Date(Date.now() - DAY_MS)), time(new Date(Date.now() + DAY_MS))),
    name,
    createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
      type: 'spki',
      format: 'der',
    }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = sequence(content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};
