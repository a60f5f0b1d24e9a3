// Package clients has tests with the libraries that Kubernetes' controllers are written with, against a running server.
package clients
