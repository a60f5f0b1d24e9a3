import { SECRET_MODE, writeAtomically } from './files.js';
import type { KeyPair } from './generate.js';

export interface KubeconfigOptions {
  readonly path: string;
  /** The HTTPS URL of the server. */
  readonly server: string;
  /**
   * The authority of the server's certificate. If the certificate is configured, it is undefined, and clients use the
   * authorities of their system.
   */
  readonly ca: string | undefined;
  readonly client: KeyPair;
}

const NAME = 'dashboard-apiserver';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Writes a kubeconfig with mode 0600 and all credentials that kubectl needs to act as the administrator. */
export async function writeKubeconfig({ path, server, ca, client }: KubeconfigOptions): Promise<void> {
  const cluster = { server, ...(ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }) };
  const user = { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: NAME, cluster }],
    users: [{ name: 'admin', user }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: 'admin', namespace: 'default' } }],
    'current-context': NAME,
  };
  // JSON is valid YAML and needs no library.
  await writeAtomically(path, `${JSON.stringify(config, undefined, 2)}\n`, SECRET_MODE);
}
