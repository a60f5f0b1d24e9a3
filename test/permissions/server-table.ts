/**
 * The permissions of routes that belong to no kind: the list of paths, documents, pages for people, health, metrics,
 * sign-in and reviews. The callers are those of the other tables. `botV` and `botA` send tokens, and the others send a
 * session.
 */
export const SERVER_TABLE = `
#                                                             anon viewer editor admin root botV botA member lead outsider
# Pages for people: for anybody, because they tell nothing about what is stored
GET /console                                                  yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /docs                                                     yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /login                                                    yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
# Health and version: for anybody
GET /healthz                                                  yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /livez                                                    yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /readyz                                                   yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /version                                                  yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /api/health                                               yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
# What there is: for everybody with a credential
GET /                                                         401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /api                                                      401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /api/v1                                                   401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /apis                                                     401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /bootdata                                                 401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /openapi/legacy                                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /openapi/scim                                             401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /openapi/v2                                               401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /openapi/v3                                               401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET /api/login/ping                                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
# What the server is used for: for administrators of the server, and by roles
GET /metrics                                                  401  403    403    403   yes  403  403  403    403  403
# The search of command line tools: everybody finds what they may see
GET /apis/dashboard.svc.app/v0alpha1/namespaces/:namespace/search 401 yes yes  yes   yes  yes  yes  yes    yes  yes
# Reviews: everybody may ask about themselves, and administrators of the server about others
POST /apis/authentication.k8s.io/v1/selfsubjectreviews        401  yes    yes    yes   yes  yes  yes  yes    yes  yes
POST /apis/authentication.k8s.io/v1/tokenreviews              401  403    403    403   yes  403  403  403    403  403
POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews   401  yes    yes    yes   yes  yes  yes  yes    yes  yes
POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews    401  yes    yes    yes   yes  yes  yes  yes    yes  yes
POST /apis/authorization.k8s.io/v1/subjectaccessreviews       401  403    403    403   yes  403  403  403    403  403
POST /apis/authorization.k8s.io/v1/namespaces/:namespace/localsubjectaccessreviews 401 403 403 403 yes 403 403 403 403 403
# … and who may do something: administrators of the organization
POST /apis/iam.svc.app/v1beta1/namespaces/:namespace/resourceaccessreviews 401 403 403 yes yes 403 yes 403 403 403
# … and who has access to a folder: who may read its permissions
POST /apis/iam.svc.app/v1beta1/namespaces/:namespace/scopeaccessreviews 401 403 403 yes yes 403 yes 403 403 404
# … and what somebody may do: everybody may ask about themselves
POST /apis/iam.svc.app/v1beta1/namespaces/:namespace/accesssummaryreviews 401 yes yes yes yes yes yes yes yes yes
# … and for the names of authors, of objects that the caller may view
POST /apis/iam.svc.app/v1beta1/namespaces/:namespace/authorreviews 401 yes yes yes yes yes yes yes yes yes
# Whether another server could be mirrored to: who may create mirrors
POST /apis/mirror.svc.app/v1beta1/namespaces/:namespace/mirrorreviews 401 403 403 yes yes 403 yes 403 403 403
# Signing out: for anybody; it ends the sessions of the rows above
GET /logout                                                   302  302    302    302   302  302  302  302    302  302
`;
