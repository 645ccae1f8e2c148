//go:build purego

package impl

const purego = true
