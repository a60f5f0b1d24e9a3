variable "provider_url" {
  description = "The address of the provider by which people sign in (OpenID Connect)."
  type        = string
  default     = "https://id.example.com"
}

# The secret is not here: the server has it in its settings, for example as APISERVER_AUTH_GENERIC_OAUTH_CLIENT_SECRET.
resource "kubectl_manifest" "sign_in" {
  yaml_body = yamlencode({
    apiVersion = "iam.svc.app/v1beta1"
    kind       = "SSOSetting"
    metadata   = { name = "generic_oauth" }
    spec = {
      settings = {
        enabled             = true
        name                = "Example Company"
        clientId            = "dashboards"
        scopes              = "openid email profile groups"
        authUrl             = "${var.provider_url}/authorize"
        tokenUrl            = "${var.provider_url}/token"
        apiUrl              = "${var.provider_url}/userinfo"
        usePkce             = true
        allowedDomains      = "example.com"
        groupsAttributePath = "groups"
        roleAttributePath   = "contains(groups, 'operators') && 'Editor' || 'Viewer'"
      }
    }
  })
}
