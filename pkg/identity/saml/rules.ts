import type { SignOnKey, SignOnValues } from '../signon/values.js';
import { readCertificate, readPrivateKey } from './credentials.js';
import { metadataText } from './metadata-text.js';
import { millisecondsOf, SIGNATURES } from './settings.js';

interface Problem {
  readonly key: SignOnKey;
  readonly message: string;
}

type EnteredValues = Partial<SignOnValues>;

const HOUR = 3_600_000;
const GRAPH = 'The groups are read from the assertion, so there is nothing to ask Microsoft Graph for. Leave it empty.';

/** What is wrong with one value, by its key. */
const CHECKS: Readonly<Partial<Record<SignOnKey, (value: string) => string | undefined>>> = {
  clientId: () => GRAPH,
  clientSecret: () => GRAPH,
  tokenUrl: () => GRAPH,
  forceUseGraphApi: () => GRAPH,
  signatureAlgorithm: (value) => {
    if (Object.hasOwn(SIGNATURES, value)) return undefined;
    return value === 'rsa-sha1'
      ? 'signatureAlgorithm cannot be rsa-sha1, because SHA-1 can be forged. Use rsa-sha256.'
      : `signatureAlgorithm must be one of ${Object.keys(SIGNATURES).join(', ')}, or empty.`;
  },
  maxIssueDelay: (value) => (isWithin(value, 1000, HOUR) ? undefined : 'maxIssueDelay must be from 1s to 1h.'),
  metadataValidDuration: (value) =>
    isWithin(value, 60_000, 10_000 * HOUR) ? undefined : 'metadataValidDuration must be from 1m to 10000h.',
  nameIdFormat: (value) =>
    isUri(value) ? undefined : 'nameIdFormat must be a URI, such as urn:oasis:names:tc:SAML:….',
  // Some providers have names there that are no URIs.
  entityId: (value) => (/[\s<>"]/.test(value) ? 'entityId must be one word, such as a URI.' : undefined),
  idpMetadata: (value) =>
    metadataText(value).includes('EntityDescriptor') ? undefined : 'idpMetadata is neither XML nor XML in base64.',
};

function isWithin(text: string, least: number, most: number): boolean {
  const value = millisecondsOf(text);
  return value !== undefined && value >= least && value <= most;
}

const isUri = (text: string): boolean => URL.canParse(text) && !/[\s<>"]/.test(text);

export function wrongSamlValue(key: SignOnKey, value: string): string | undefined {
  return Object.hasOwn(CHECKS, key) ? CHECKS[key]?.(value) : undefined;
}

const SOURCES = ['idpMetadata', 'idpMetadataPath', 'idpMetadataUrl'] as const;

/** What is wrong with values together. Stored credentials and metadata do not mix with those of the settings. */
export function samlProblems(entered: EnteredValues, system: SignOnValues): readonly Problem[] {
  const sources = SOURCES.filter((key) => Boolean(entered[key]));
  const isOn = entered.enabled ?? system.enabled;
  const hasCertificate = Boolean(entered.certificate || entered.certificatePath);
  const hasKey = Boolean(entered.privateKey || entered.privateKeyPath);
  const signs = Boolean(entered.signatureAlgorithm ?? system.signatureAlgorithm);
  const problem = (key: SignOnKey, isWrong: boolean, message: string): readonly Problem[] =>
    isWrong ? [{ key, message }] : [];
  return [
    ...problem(
      sources[1] ?? 'idpMetadataUrl',
      sources.length > 1,
      'Only one of idpMetadata, idpMetadataPath and idpMetadataUrl can be set.',
    ),
    ...problem(
      'idpMetadataUrl',
      isOn && sources.length === 0 && entered.enabled !== undefined,
      'One of idpMetadata and idpMetadataUrl is required.',
    ),
    ...problem('privateKey', hasCertificate && !hasKey, 'privateKey is required with certificate.'),
    ...problem('certificate', hasKey && !hasCertificate, 'certificate is required with privateKey.'),
    ...problem(
      'signatureAlgorithm',
      signs && !hasKey && entered.signatureAlgorithm !== undefined,
      'signatureAlgorithm needs certificate and privateKey.',
    ),
  ];
}

/** What is wrong with the secrets that somebody stores. */
export function secretSamlProblems({ certificate, privateKey }: EnteredValues): readonly Problem[] {
  const isWrong = (value: string | undefined, read: (text: string) => unknown): boolean =>
    value !== undefined && value !== '' && read(value) === undefined;
  return [
    ...(isWrong(certificate, readCertificate)
      ? [{ key: 'certificate', message: 'certificate is no certificate in PEM, or PEM in base64.' } as const]
      : []),
    ...(isWrong(privateKey, readPrivateKey)
      ? [
          {
            key: 'privateKey',
            message: 'privateKey is no RSA private key in PEM without a passphrase, or PEM in base64.',
          } as const,
        ]
      : []),
  ];
}
