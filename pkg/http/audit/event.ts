/** How much of a request is recorded, as in Kubernetes. */
export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof LEVELS)[number];

/** The stages that Kubernetes knows. Events have only `ResponseComplete` and, for watches, `ResponseStarted`. */
export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof STAGES)[number];

/** authentication.k8s.io/v1 UserInfo. */
export interface EventUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** audit.k8s.io/v1 ObjectReference. */
export interface EventObject {
  readonly resource: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly apiGroup?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The part of metav1.Status that events have. */
export interface EventStatus {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status?: 'Success' | 'Failure' | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly code: number;
}

/** audit.k8s.io/v1 Event (k8s.io/apiserver/pkg/apis/audit/v1/types.go). Times are RFC 3339 with microseconds. */
export interface AuditEvent {
  readonly kind: 'Event';
  readonly apiVersion: 'audit.k8s.io/v1';
  readonly level: Level;
  readonly auditID: string;
  readonly stage: Stage;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: EventUser;
  readonly impersonatedUser?: EventUser | undefined;
  readonly sourceIPs?: readonly string[] | undefined;
  readonly userAgent?: string | undefined;
  readonly objectRef?: EventObject | undefined;
  /** Absent if the client left before there was an answer. */
  readonly responseStatus?: EventStatus | undefined;
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}
