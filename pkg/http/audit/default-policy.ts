import { Policy } from './policy.js';

/**
 * The policy without a policy file: every write, every sign-in and sign-out, and every refusal at the level Metadata.
 * Reads that succeed, health checks, and questions of callers about themselves and about what they may view are left
 * out.
 */
export const defaultPolicy = (domain: string): Policy => Policy.parse(policyOf(domain));

const policyOf = (domain: string): object => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    { level: 'None', nonResourceURLs: ['/livez*', '/readyz*', '/healthz*', '/version', '/api/health'] },
    {
      level: 'None',
      resources: [
        { group: 'authentication.k8s.io', resources: ['selfsubjectreviews'] },
        { group: 'authorization.k8s.io', resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'] },
        { group: `iam.${domain}`, resources: ['authorreviews'] },
      ],
    },
    // Attempts to sign in are still recorded. Reading the page, and going to a provider, are not.
    { level: 'None', verbs: ['get', 'head'], nonResourceURLs: ['/login*'] },
    { level: 'Metadata', nonResourceURLs: ['/login*', '/logout*'] },
    { level: 'None', verbs: ['get', 'list', 'watch', 'head', 'options'] },
    { level: 'Metadata' },
  ],
});
