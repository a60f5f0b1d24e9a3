import type { Handler } from '../pkg/http/exchange.js';
import { encodeDocument, lazy, readOnly, serveDocument } from '../pkg/negotiation/document.js';

/** The Kubernetes release whose API machinery this server keeps to; clients compare their own minor with it. */
export const KUBERNETES_VERSION = { major: 1, minor: 34, patch: 0 } as const;

/** The body of `/version` (k8s.io/apimachinery version.Info). */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** Semantic version; the build metadata names the server. */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

export interface BuildInfo {
  readonly commit?: string;
  /** RFC 3339. */
  readonly date?: string;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export function versionInfo(build: BuildInfo = {}): VersionInfo {
  const { major, minor, patch } = KUBERNETES_VERSION;
  return {
    major: String(major),
    minor: String(minor),
    gitVersion: `v${major}.${minor}.${patch}+svc`,
    gitCommit: build.commit ?? '',
    gitTreeState: build.commit === undefined ? '' : 'clean',
    buildDate: build.date ?? '1970-01-01T00:00:00Z',
    goVersion: `node${process.versions.node}`,
    compiler: 'v8',
    platform: `${process.platform}/${ARCHITECTURES[process.arch] ?? process.arch}`,
  };
}

export function versionRoutes(build: BuildInfo = {}): ReadonlyMap<string, Handler> {
  const document = lazy(() => encodeDocument(versionInfo(build), 'application/json'));
  return new Map([['/version', readOnly((request) => serveDocument(request, document()))]]);
}
