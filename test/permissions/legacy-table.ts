/**
 * The permissions of the legacy API. `root` administers the server. `botV` and `botA` are service accounts with the roles Viewer and Admin.
 * `member` and `lead` are viewers of the organization. In the team of the request, they are a member and an Admin. `outsider` administers another
 * organization, and sends requests to this one. `editor` administers a folder of their own. The user of a request is never the caller, except below `/user`.
 */
export const LEGACY_TABLE = `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Folders: by role
GET    /folders                                       401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /folders/:uid                                  401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /folders/id/:id                                401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /folders/:uid/counts                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /folders                                       401  403    yes    yes   yes  403  yes  403    403  403
PUT    /folders/:uid                                  401  403    yes    yes   yes  403  yes  403    403  403
DELETE /folders/:uid                                  401  403    yes    yes   yes  403  yes  403    403  403
POST   /folders/:uid/move                             401  403    yes    yes   yes  403  yes  403    403  403
# Permissions of folders: for administrators of the folder
GET    /folders/:uid/permissions                      401  403    403    yes   yes  403  yes  403    403  403
POST   /folders/:uid/permissions                      401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/folders/description            401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /access-control/folders/:uid                   401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid                   401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/users/:userId     401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/teams/:teamId     401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/folders/:uid/builtInRoles/:role 401 403    403    yes   yes  403  yes  403    403  403
# Alert rules: by role, as the folder that they lie in
GET    /v1/provisioning/alert-rules                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /v1/provisioning/alert-rules                   401  403    yes    yes   yes  403  yes  403    403  403
GET    /v1/provisioning/alert-rules/:uid              401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/alert-rules/export            401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/alert-rules/:uid/export       401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/folder/:folderUid/rule-groups/:group/export 401 yes yes yes yes yes yes yes   yes  403
PUT    /v1/provisioning/alert-rules/:uid              401  403    yes    yes   yes  403  yes  403    403  403
DELETE /v1/provisioning/alert-rules/:uid              401  403    yes    yes   yes  403  yes  403    403  403
GET    /v1/provisioning/folder/:folderUid/rule-groups/:group 401 yes yes yes   yes  yes  yes  yes    yes  403
PUT    /v1/provisioning/folder/:folderUid/rule-groups/:group 401 403 yes yes   yes  403  yes  403    403  403
DELETE /v1/provisioning/folder/:folderUid/rule-groups/:group 401 403 yes yes   yes  403  yes  403    403  403
GET    /prometheus/grafana/api/v1/rules               401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /ruler/grafana/api/v1/rules                    401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /ruler/grafana/api/v1/rules/:folderUid         401  yes    yes    yes   yes  yes  yes  yes    yes  403
# Library elements: by role; those that a caller may not view are not found
GET    /library-elements                              401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /library-elements/:uid                         401  yes    yes    yes   yes  yes  yes  yes    yes  404
GET    /library-elements/name/:name                   401  yes    yes    yes   yes  yes  yes  yes    yes  404
GET    /library-elements/:uid/connections             401  yes    yes    yes   yes  yes  yes  yes    yes  404
POST   /library-elements                              401  403    yes    yes   yes  403  yes  403    403  403
PATCH  /library-elements/:uid                         401  403    yes    yes   yes  403  yes  403    403  403
DELETE /library-elements/:uid                         401  403    yes    yes   yes  403  yes  403    403  403
# Sign-on settings: for administrators of the server, and by grants
GET    /v1/sso-settings                               401  403    403    403   yes  403  403  403    403  403
GET    /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
PUT    /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
DELETE /v1/sso-settings/:provider                     401  403    403    403   yes  403  403  403    403  403
POST   /v1/sso-settings/:provider/test                401  403    403    403   yes  403  403  403    403  403
# Dashboards: by role
GET    /dashboards/home                               401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /dashboards/tags                               401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /dashboards/uid/:uid                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/db                                 401  403    yes    yes   yes  403  yes  403    403  403
POST   /dashboards/import                             401  403    yes    yes   yes  403  yes  403    403  403
DELETE /dashboards/uid/:uid                           401  403    yes    yes   yes  403  yes  403    403  403
GET    /dashboards/uid/:uid/versions                  401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /dashboards/uid/:uid/versions/:version         401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/uid/:uid/restore                   401  403    yes    yes   yes  403  yes  403    403  403
GET    /dashboards/id/:id/versions                    401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /dashboards/id/:id/versions/:version           401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /dashboards/id/:id/restore                     401  403    yes    yes   yes  403  yes  403    403  403
# Permissions of dashboards: for administrators of the dashboard
GET    /dashboards/uid/:uid/permissions               401  403    403    yes   yes  403  yes  403    403  403
POST   /dashboards/uid/:uid/permissions               401  403    403    yes   yes  403  yes  403    403  403
GET    /dashboards/id/:id/permissions                 401  403    403    yes   yes  403  yes  403    403  403
POST   /dashboards/id/:id/permissions                 401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/dashboards/description         401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /access-control/dashboards/:uid                401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid                401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/users/:userId  401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/teams/:teamId  401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/dashboards/:uid/builtInRoles/:role 401 403   403    yes   yes  403  yes  403    403  403
# Users: for administrators of the server, who are never service accounts
GET    /users                                         401  403    403    403   yes  403  403  403    403  403
GET    /users/search                                  401  403    403    403   yes  403  403  403    403  403
GET    /users/lookup                                  401  403    403    403   yes  403  403  403    403  403
GET    /users/:id                                     401  403    403    403   yes  403  403  403    403  403
GET    /users/:id/orgs                                401  403    403    403   yes  403  403  403    403  403
GET    /users/:id/teams                               401  403    403    403   yes  403  403  403    403  403
PUT    /users/:id                                     401  403    403    403   yes  403  403  403    403  403
POST   /users/:id/using/:orgId                        401  403    403    403   yes  403  403  403    403  403
POST   /admin/users                                   401  403    403    403   yes  403  403  403    403  403
PUT    /admin/users/:id/password                      401  403    403    403   yes  403  403  403    403  403
PUT    /admin/users/:id/permissions                   401  403    403    403   yes  403  403  403    403  403
DELETE /admin/users/:id                               401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/disable                       401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/enable                        401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/logout                        401  403    403    403   yes  403  403  403    403  403
GET    /admin/users/:id/auth-tokens                   401  403    403    403   yes  403  403  403    403  403
POST   /admin/users/:id/revoke-auth-token             401  403    403    403   yes  403  403  403    403  403
# The signed-in user: for all persons
GET    /user                                          401  yes    yes    yes   yes  yes  yes  yes    yes  yes
PUT    /user                                          401  yes    yes    yes   yes  403  403  yes    yes  yes
PUT    /user/password                                 401  yes    yes    yes   yes  403  403  yes    yes  yes
GET    /user/orgs                                     401  yes    yes    yes   yes  403  403  yes    yes  yes
GET    /user/teams                                    401  yes    yes    yes   yes  403  403  yes    yes  yes
# … changes to the organization of the callers: 401 for others
POST   /user/using/:orgId                             401  yes    yes    yes   yes  403  403  yes    yes  401
GET    /user/auth-tokens                              401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/revoke-auth-token                        401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/auth-tokens/rotate                       401  yes    yes    yes   yes  403  403  yes    yes  yes
GET    /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  yes
# … preferences in the organization of the callers: 403 for others
PUT    /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  403
PATCH  /user/preferences                              401  yes    yes    yes   yes  403  403  yes    yes  403
# Query history: everybody has their own
POST   /query-history                                 401  yes    yes    yes   yes  403  403  yes    yes  403
GET    /query-history                                 401  yes    yes    yes   yes  403  403  yes    yes  403
PATCH  /query-history/:uid                            401  yes    yes    yes   yes  403  403  yes    yes  404
DELETE /query-history/:uid                            401  yes    yes    yes   yes  403  403  yes    yes  404
POST   /query-history/star/:uid                       401  yes    yes    yes   yes  403  403  yes    yes  404
DELETE /query-history/star/:uid                       401  yes    yes    yes   yes  403  403  yes    yes  404
# … stars: of dashboards that the caller may view
GET    /user/stars                                    401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/stars/dashboard/uid/:uid                 401  yes    yes    yes   yes  403  403  yes    yes  403
DELETE /user/stars/dashboard/uid/:uid                 401  yes    yes    yes   yes  403  403  yes    yes  yes
POST   /user/stars/dashboard/:id                      401  yes    yes    yes   yes  403  403  yes    yes  403
DELETE /user/stars/dashboard/:id                      401  yes    yes    yes   yes  403  403  yes    yes  404
# Teams: members view their own, Admins of a team manage it, administrators of the organization manage all
GET    /teams/search                                  401  none   none   yes   yes  none yes  yes    yes  none
POST   /teams                                         401  403    403    yes   yes  403  yes  403    403  403
GET    /teams/:teamId                                 401  403    403    yes   yes  403  yes  yes    yes  403
PUT    /teams/:teamId                                 401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId                                 401  403    403    yes   yes  403  yes  403    yes  403
GET    /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  yes    yes  403
POST   /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId/groups                          401  403    403    yes   yes  403  yes  403    yes  403
GET    /teams/:teamId/members                         401  403    403    yes   yes  403  yes  yes    yes  403
POST   /teams/:teamId/members                         401  403    403    yes   yes  403  yes  403    yes  403
PUT    /teams/:teamId/members                         401  403    403    yes   yes  403  yes  403    yes  403
PUT    /teams/:teamId/members/:userId                 401  403    403    yes   yes  403  yes  403    yes  403
DELETE /teams/:teamId/members/:userId                 401  403    403    yes   yes  403  yes  403    yes  403
GET    /access-control/teams/description              401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/teams/:teamId                  401  403    403    yes   yes  403  yes  yes    yes  403
POST   /access-control/teams/:teamId                  401  403    403    yes   yes  403  yes  403    yes  403
POST   /access-control/teams/:teamId/users/:userId    401  403    403    yes   yes  403  yes  403    yes  403
GET    /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  yes    yes  403
PUT    /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  403    yes  403
PATCH  /teams/:teamId/preferences                     401  403    403    yes   yes  403  yes  403    yes  403
# Service accounts and their tokens: for administrators of the organization
GET    /serviceaccounts/search                        401  403    403    yes   yes  403  yes  403    403  403
POST   /serviceaccounts                               401  403    403    yes   yes  403  yes  403    403  403
GET    /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
PATCH  /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
DELETE /serviceaccounts/:id                           401  403    403    yes   yes  403  yes  403    403  403
GET    /serviceaccounts/:id/tokens                    401  403    403    yes   yes  403  yes  403    403  403
POST   /serviceaccounts/:id/tokens                    401  403    403    yes   yes  403  yes  403    403  403
DELETE /serviceaccounts/:id/tokens/:tokenId           401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/serviceaccounts/description    401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/serviceaccounts/:uid           401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid           401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/users/:userId 401 403 403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/teams/:teamId 401 403 403    yes   yes  403  yes  403    403  403
POST   /access-control/serviceaccounts/:uid/builtInRoles/:role 401 403 403 yes yes  403  yes  403    403  403
# Roles, and who has them: for administrators of the organization. What the roles of the server allow: for everybody
GET    /access-control/status                         401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/built-in-roles                 401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /access-control/roles                          401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/roles                          401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/roles/:uid                     401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/roles/:uid/assignments         401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/roles/:uid/assignments         401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/users/:userId/roles            401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/users/:userId/roles/:uid       401  403    403    yes   yes  403  yes  403    403  403
GET    /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
POST   /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
PUT    /access-control/teams/:teamId/roles            401  403    403    yes   yes  403  yes  403    403  403
DELETE /access-control/teams/:teamId/roles/:uid       401  403    403    yes   yes  403  yes  403    403  403
# The organization: its members view it, its administrators change it
GET    /org                                           401  yes    yes    yes   yes  yes  yes  yes    yes  403
PUT    /org                                           401  403    403    yes   yes  403  yes  403    403  403
PUT    /org/address                                   401  403    403    yes   yes  403  yes  403    403  403
GET    /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
PUT    /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
PATCH  /org/preferences                               401  403    403    yes   yes  403  yes  403    403  403
GET    /org/users                                     401  403    403    yes   yes  403  yes  403    403  403
GET    /org/users/lookup                              401  403    none   yes   yes  403  yes  403    none 403
GET    /org/users/search                              401  403    403    yes   yes  403  yes  403    403  403
POST   /org/users                                     401  403    403    yes   yes  403  yes  403    403  403
PATCH  /org/users/:userId                             401  403    403    yes   yes  403  yes  403    403  403
DELETE /org/users/:userId                             401  403    403    yes   yes  403  yes  403    403  403
# Organizations by id or name: the same permissions; administrators of the server create and delete them
GET    /orgs                                          401  yes    yes    yes   yes  yes  yes  yes    yes  none
POST   /orgs                                          401  403    403    403   yes  403  403  403    403  403
GET    /orgs/:orgId                                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /orgs/name/:name                               401  yes    yes    yes   yes  yes  yes  yes    yes  403
PUT    /orgs/:orgId                                   401  403    403    yes   yes  403  yes  403    403  403
PUT    /orgs/:orgId/address                           401  403    403    yes   yes  403  yes  403    403  403
DELETE /orgs/:orgId                                   401  403    403    403   yes  403  403  403    403  403
GET    /orgs/:orgId/users                             401  403    403    yes   yes  403  yes  403    403  403
GET    /orgs/:orgId/users/lookup                      401  403    none   yes   yes  403  yes  403    none 403
GET    /orgs/:orgId/users/search                      401  403    403    yes   yes  403  yes  403    403  403
POST   /orgs/:orgId/users                             401  403    403    yes   yes  403  yes  403    403  403
PATCH  /orgs/:orgId/users/:userId                     401  403    403    yes   yes  403  yes  403    403  403
DELETE /orgs/:orgId/users/:userId                     401  403    403    yes   yes  403  yes  403    403  403
# Routes without a kind, and routes of kinds that this server does not have
GET    /health                                        yes  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /frontend/settings                             401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /search                                        401  yes    yes    yes   yes  yes  yes  yes    yes  none
GET    /admin/stats                                   401  403    403    403   yes  403  403  403    403  403
GET    /admin/audit                                   401  403    403    403   404  403  403  403    403  403
GET    /admin/settings                                401  403    403    403   yes  403  403  403    403  403
GET    /datasources                                   401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /datasources/uid/:uid                          401  404    404    404   404  404  404  404    404  404
GET    /datasources/name/:name                        401  404    404    404   404  404  404  404    404  404
GET    /dashboard/snapshots                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /auth/keys                                     401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /alert-notifications                           401  yes    yes    yes   yes  yes  yes  yes    yes  yes
GET    /v1/provisioning/contact-points                401  yes    yes    yes   yes  yes  yes  yes    yes  yes
# Annotations of the organization: by role
GET    /annotations                                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /annotations/tags                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /annotations/:annotationId                     401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /annotations                                   401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/evt                               401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/graphite                          401  403    yes    yes   yes  403  yes  403    403  403
PUT    /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
PATCH  /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
DELETE /annotations/:annotationId                     401  403    yes    yes   yes  403  yes  403    403  403
POST   /annotations/mass-delete                       401  403    yes    yes   yes  403  yes  403    403  403
`;
