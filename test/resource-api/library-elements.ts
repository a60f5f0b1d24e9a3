import type { Body } from '../harness/body.js';
import { bodyOf, type Resource, type ResourceKind, resourceOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { FOLDER } from './dashboards.js';

export const ELEMENTS: ResourceKind = {
  apiVersion: 'dashboard.svc.app/v1beta1',
  resource: 'libraryelements',
  scope: 'Namespaced',
};

export interface ElementOptions {
  readonly folder?: string;
  /** Members of the spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A whole element, as Kubernetes clients send it. It is a panel with its uid as its name. */
export function libraryElement(name: string, { folder, spec }: ElementOptions = {}): unknown {
  return {
    apiVersion: ELEMENTS.apiVersion,
    kind: 'LibraryElement',
    metadata: { name, ...(folder === undefined ? {} : { annotations: { [FOLDER]: folder } }) },
    spec: { name, kind: 1, model: {}, ...spec },
  };
}

export interface Elements extends Resource {
  /** Creates an element, and expects 201. */
  make(name: string, options?: ElementOptions): Promise<Body>;
}

export function elementsOf(server: () => Server): Elements {
  const resource = resourceOf(server, ELEMENTS);
  return {
    ...resource,
    make: async (name, options) => bodyOf(await resource.create(libraryElement(name, options)), 201),
  };
}
