//go:build !amd64 && !arm64

package impl

var featureNames []string

var gcmRows, ctrRows, chachaRows, poly1305Rows, p256Rows, p256BatchRows []Row
